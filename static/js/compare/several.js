// The page of several markups: a row of the table and its fragments in all texts light up together.

const pieces = (mark) => {
  const [side, number] = mark.split(" ");
  return number ? document.querySelectorAll(`[data-side="${side}"] [data-m~="${number}"]`) : [];
};

const light = (row) => {
  for (const lit of document.querySelectorAll(".pairtext .on, #difflist .on")) lit.classList.remove("on");
  if (!row) return;
  row.classList.add("on");
  for (const cell of row.querySelectorAll("[data-mark]"))
    for (const piece of pieces(cell.dataset.mark)) piece.classList.add("on");
};

const rowAt = (piece) => {
  const { side } = piece.closest("[data-side]").dataset;
  const number = piece.dataset.m.split(" ").at(-1);
  return document.querySelector(`[data-mark="${side} ${number}"]`)?.closest("tr") ?? null;
};

const rowUnder = (target) => {
  const piece = target.closest("[data-side] [data-m]");
  return piece ? rowAt(piece) : target.closest("#difflist tr");
};

document.addEventListener("pointerover", (event) => {
  const row = rowUnder(event.target);
  if (row) light(row);
});
document.addEventListener("focusin", (event) => {
  const row = event.target.closest("#difflist tr");
  if (row) light(row);
});
document.addEventListener("click", (event) => {
  const piece = event.target.closest("[data-side] [data-m]");
  if (piece) rowAt(piece)?.scrollIntoView({ block: "center" });
  const link = event.target.closest(".diff-row");
  if (!link) return;
  event.preventDefault();
  history.replaceState(history.state, "", link.hash);
  const first = document.querySelector(".pairtext .on");
  first?.scrollIntoView({ block: "center" });
});
if (/^#row-\d+$/.test(location.hash)) light(document.querySelector(location.hash));
