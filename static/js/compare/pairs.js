// Rows of the list and their fragments on both sides: which pair is lit and which is chosen.
// Rows are links of the list; a row knows the numbers of its fragments by side.

const SIDES = ["left", "right"];
const list = () => document.getElementById("difflist");
let chosen = null; // the number of the row, as the address names it

export const rows = () => [...list().querySelectorAll(".diff")];
export const rowOf = (number) => list().querySelector(`.diff[data-row="${number}"]`);
export const chosenRow = () => (chosen === null ? null : rowOf(chosen));
const isSame = (row) => row.parentElement.classList.contains("st-same");

export const piecesOf = (row, side) =>
  row.dataset[side] ? [...document.querySelectorAll(`[data-side="${side}"] [data-m~="${row.dataset[side]}"]`)] : [];
const places = (row) => SIDES.map((side) => piecesOf(row, side));

/** The innermost row at a piece; asked again there, the next outer one. */
export const rowAt = (piece, { again = false } = {}) => {
  const { side } = piece.closest("[data-side]").dataset;
  const numbers = piece.dataset.m.split(" ").reverse();
  const found = numbers.map((number) => list().querySelector(`.diff[data-${side}="${number}"]`)).filter(Boolean);
  return found[again ? (found.indexOf(chosenRow()) + 1) % found.length : 0] ?? null;
};

const knotOf = (row) => document.querySelector(`#knots [data-row="${row.dataset.row}"]`);

const barTop = () => document.querySelector(".status").getBoundingClientRect().top;

/** The lowest edge at which something of the list is in sight. */
const lowest = () => Math.min(barTop(), list().getBoundingClientRect().bottom);

/** What a row has cut short of the words of either side is told over its neighbours: no row moves for it. */
const tell = (item) => {
  const isCut = [...item.querySelectorAll(".wrote")].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  if (!isCut || item.classList.contains("on")) return;
  const inner = item.querySelector(".in");
  inner.removeAttribute("style");
  item.classList.add("told");
  inner.style.setProperty("--rise", `${Math.max(0, inner.getBoundingClientRect().bottom - lowest())}px`);
};

export const light = (row) => {
  const lit = document.querySelectorAll(".pairtext .hover, #difflist .hover");
  for (const piece of lit) if (piece !== row?.parentElement) piece.classList.remove("hover", "told");
  if (!row) return;
  for (const piece of places(row).flat()) piece.classList.add("hover");
  knotOf(row)?.classList.add("hover");
  row.parentElement.classList.add("hover");
  tell(row.parentElement);
};

const paint = (row, isOn) => {
  for (const pieces of places(row)) {
    for (const piece of pieces) piece.classList.toggle("on", isOn);
    pieces.at(0)?.classList.toggle("on-s", isOn);
    pieces.at(-1)?.classList.toggle("on-e", isOn);
  }
  knotOf(row)?.classList.toggle("on", isOn);
  row.parentElement.classList.toggle("on", isOn);
  row.parentElement.classList.remove("told");
  if (isOn) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
};

/** How far something that sticks reaches into the window where it stands at the edge it sticks to. */
const reach = (sticking, edge) => Number.parseFloat(getComputedStyle(sticking)[edge]) + sticking.offsetHeight;

/** Between the heads of the columns and the list, where that lies over the text. */
const bringIntoSight = (element) => {
  const [head, sheet] = [".pair-head", ".diffs"].map((each) => document.querySelector(each));
  const from = reach(head, "top");
  const to = innerHeight - (sheet.offsetWidth > innerWidth / 2 ? reach(sheet, "bottom") : 48);
  const { top, height } = element.getBoundingClientRect();
  const tall = Math.min(height, 48);
  if (top < from || top + tall > to) scrollBy(0, top + tall / 2 - (from + to) / 2);
};

/** On a narrow window one text is seen at a time: the one that has something. */
const turnTo = (row) => {
  const now = SIDES.find((side) => document.getElementById(`pick-${side}`).checked);
  const side = row.dataset[now] ? now : SIDES.find((each) => row.dataset[each]);
  document.getElementById(`pick-${side}`).checked = true;
};

const remember = (number) => {
  const hash = number === null ? "" : `#row-${number}`;
  history.replaceState(history.state, "", location.pathname + location.search + hash);
};

/** The row as a whole where nothing covers it: the list is scrolled, and the window where that does not do. */
const showRow = ({ parentElement: item }, { bring }) => {
  const { top } = list().getBoundingClientRect();
  const of = item.getBoundingClientRect();
  if (of.top < top) list().scrollTop -= top - of.top;
  else list().scrollTop += Math.max(0, Math.min(of.bottom - lowest(), of.top - top));
  const [end, last] = [list(), item].map((each) => each.getBoundingClientRect().bottom);
  if (bring) scrollBy(0, Math.max(0, Math.min(end, last) - barTop()));
};

const topOf = (row) => row?.getBoundingClientRect().top ?? 0;

/** Choose a row, or none: both its places are framed, and the address names it. */
export const choose = (row, { bring = false } = {}) => {
  const before = chosenRow();
  const was = topOf(row);
  if (before) paint(before, false);
  chosen = row ? row.dataset.row : null;
  remember(chosen);
  if (row) {
    paint(row, true);
    list().scrollTop += topOf(row) - was; // what became shorter above it moves it nowhere
    if (bring) {
      turnTo(row);
      const seen = places(row).flat().find((piece) => piece.offsetParent);
      if (seen) bringIntoSight(seen);
    }
    showRow(row, { bring });
  }
  document.dispatchEvent(new CustomEvent("pair-chosen"));
};

/** The next or the previous difference, round the end; agreements are passed over. */
export const step = (direction) => {
  const wanted = rows().filter((row) => !isSame(row));
  if (!wanted.length) return;
  const all = rows();
  const here = all.indexOf(chosenRow());
  const onwards = direction > 0 ? wanted : wanted.reverse();
  const next = onwards.find((row) => (all.indexOf(row) - here) * direction > 0) ?? onwards[0];
  next.focus({ preventScroll: true });
  choose(here < 0 ? onwards[0] : next, { bring: true });
};

/** After the list came anew: the chosen pair stays chosen, if it is still there. */
export const restore = () => {
  const row = chosenRow();
  chosen = null;
  choose(row);
};

/** The address of the chosen pair with the sides swapped: there its row may have another number. */
export const mirrored = () => {
  const { left, right } = chosenRow()?.dataset ?? {};
  if (left) return `#right-${left}`;
  return right ? `#left-${right}` : "";
};

export const begin = () => {
  const [, name, number] = location.hash.match(/^#(row|left|right)-(\d+)$/) ?? [];
  const row = name && list().querySelector(`.diff[data-${name}="${number}"]`);
  if (row) choose(row, { bring: true });
};
