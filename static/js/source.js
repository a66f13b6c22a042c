// A check as text: the place of a problem is selected, a file is shown as soon as it is chosen, and what is typed is
// kept by the browser until it is taken over or given up.
const words = document.getElementById("words");
const written = document.querySelector("[name=written]");
const brought = document.getElementById("brought");

const offsetOf = (line, column) => {
  const before = words.value.split("\n").slice(0, line - 1);
  const signs = [...(words.value.split("\n")[line - 1] ?? "")].slice(0, column - 1); // code points
  return before.reduce((sum, each) => sum + each.length + 1, 0) + signs.join("").length;
};

const goTo = ({ line, column }) => {
  const at = offsetOf(Number(line), Number(column));
  words.focus();
  words.setSelectionRange(at, at + 1);
};

// ── what is typed and not taken over ────────────────────────────────────────

const shelf = `razbor-source-${words.dataset.keeps}`;

/** What was typed: {words, from, taken}; ``from``: what the check said then, ``taken``: at this version it was sent to be
 * taken over. */
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(shelf));
  } catch {
    return null;
  }
};

const isStored = "asStored" in words.dataset; // the field came with what the check says, else with what was sent
let isKept = true;

const keep = (more = {}) => {
  const from = isStored ? words.defaultValue : kept()?.from;
  try {
    if (words.value === from) localStorage.removeItem(shelf);
    else if (written.value === "txt") localStorage.setItem(shelf, JSON.stringify({ words: words.value, from, ...more }));
    isKept = written.value === "txt";
  } catch {
    isKept = false;
  }
};

const put = (value) => {
  words.value = value;
  words.dispatchEvent(new Event("input", { bubbles: true })); // what changes is shown
};

/** What was typed before is back, unless the check says it by now or took it over. */
const bring = () => {
  if (!isStored) return keep(); // what was sent was not taken over
  const found = kept();
  if (!found) return;
  const isTaken = "taken" in found && found.from !== words.defaultValue;
  if (isTaken || found.words === words.defaultValue) return localStorage.removeItem(shelf);
  put(found.words);
  brought.hidden = false;
};

const giveUp = () => {
  put(words.defaultValue);
  brought.hidden = true;
  words.focus();
};

let isSent = false;

words.addEventListener("input", () => keep());
words.form.addEventListener("submit", ({ submitter }) => {
  isSent = true;
  if (submitter?.name === "seen") keep({ taken: Number(words.dataset.version) });
});
addEventListener("beforeunload", (event) => !isSent && !isKept && words.value !== words.defaultValue && event.preventDefault());
document.addEventListener("click", ({ target }) => {
  const place = target.closest("[data-line]")?.dataset;
  if (place) goTo(place);
  else if (target.closest("[data-give-up]")) giveUp();
});
document.querySelector("[name=file]").addEventListener("change", ({ target }) => {
  if (target.files.length) target.form.requestSubmit();
});
addEventListener("load", bring); // htmx is there by then, to show what changes
