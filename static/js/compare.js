// The comparison page: a row of the list and its fragments on both sides light up together.

const pieces = (side, number) =>
  document.querySelectorAll(`[data-side="${side}"] [data-m~="${number}"]`);

const light = (row, isOn) => {
  for (const side of ["left", "right"]) {
    const number = row.dataset[side];
    if (number) for (const piece of pieces(side, number)) piece.classList.toggle("on", isOn);
  }
  row.closest("li").classList.toggle("on", isOn);
};

let lit = null;

const choose = (row, { scroll = false } = {}) => {
  if (lit) light(lit, false);
  lit = row;
  if (!row) return;
  light(row, true);
  if (scroll) row.scrollIntoView({ block: "nearest" });
};

const rowOf = (piece) => {
  const { side } = piece.closest("[data-side]").dataset;
  const number = piece.dataset.m.split(" ").at(-1);
  return document.querySelector(`.diff[data-${side}="${number}"]`);
};

document.addEventListener("pointerover", (event) => {
  const row = event.target.closest(".diff");
  const piece = event.target.closest("[data-side] [data-m]");
  if (row) choose(row);
  else if (piece) choose(rowOf(piece), { scroll: true });
});

document.addEventListener("focusin", (event) => {
  const row = event.target.closest(".diff");
  if (row) choose(row);
});
