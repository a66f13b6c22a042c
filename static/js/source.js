// A check as text: the place of a problem is selected, and a file is shown as soon as it is chosen.
const words = document.getElementById("words");

const offsetOf = (line, column) => {
  const before = words.value.split("\n").slice(0, line - 1);
  const signs = [...(words.value.split("\n")[line - 1] ?? "")].slice(0, column - 1); // code points
  return before.reduce((sum, each) => sum + each.length + 1, 0) + signs.join("").length;
};

document.addEventListener("click", ({ target }) => {
  const place = target.closest("[data-line]")?.dataset;
  if (!place) return;
  const at = offsetOf(Number(place.line), Number(place.column));
  words.focus();
  words.setSelectionRange(at, at + 1);
});

document.querySelector("[name=file]").addEventListener("change", ({ target }) => {
  if (target.files.length) target.form.requestSubmit();
});
