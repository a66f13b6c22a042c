// What stands between and beside the two texts: knots at the lines of their pairs, wires from
// either text to its knot, rails along semantic blocks. Lines are measured first, then all is put
// in its place; nothing here moves a letter.
import { chosenRow, piecesOf, rows } from "./pairs.js";

const SVG = "http://www.w3.org/2000/svg";
const GAP = 2; // between knots of one line
const DEEPEST = 2; // rails that have room beside the outermost one

const middleOf = (pieces, top) => {
  const box = pieces[0]?.getClientRects()[0];
  return box ? box.top + box.height / 2 - top : null;
};

const stateOf = (row) => row.parentElement.className.match(/st-(\w+)/)[1];

const measure = (top) =>
  rows()
    .map((row) => ({
      row,
      left: middleOf(piecesOf(row, "left"), top),
      right: middleOf(piecesOf(row, "right"), top),
    }))
    .filter(({ left, right }) => left !== null || right !== null);

/** Knots of one line side by side; where they are too many they lie over each other. */
const placeKnots = (found, knots, width) => {
  const lines = new Map();
  for (const each of found) {
    each.y = each.left ?? each.right;
    each.knot = knots.get(each.row.dataset.row);
    const line = Math.round(each.y / 8);
    lines.set(line, [...(lines.get(line) ?? []), each]);
  }
  for (const { knot } of found) if (knot) knot.style.left = "0px"; // without a place it is not shown
  for (const each of found) each.size = (each.knot?.offsetWidth ?? 0) + GAP;
  for (const line of lines.values()) {
    const all = line.reduce((sum, { size }) => sum + size, 0);
    const share = Math.min(1, (width - GAP) / all);
    let at = (width - all * share) / 2;
    for (const each of line) {
      each.x = at + (each.size * share) / 2;
      at += each.size * share;
      if (!each.knot) continue;
      each.knot.style.left = `${each.x}px`;
      each.knot.style.top = `${each.y}px`;
    }
  }
};

const curve = (x, y, toX, toY) => `M${x} ${y}C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`;

const drawWires = (found, seam, width) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "wires");
  const active = chosenRow();
  for (const { row, left, right, x, y } of found) {
    const path = document.createElementNS(SVG, "path");
    const ways = [left !== null && curve(0, left, x, y), right !== null && curve(x, y, width, right)];
    path.setAttribute("d", ways.filter(Boolean).join(""));
    path.setAttribute("class", `${stateOf(row)}${row === active ? " on" : ""}`);
    svg.append(path);
  }
  seam.replaceChildren(svg);
};

/** A rail for every block, on the outer side of its text; nested ones stand nearer to the text. */
const drawRails = (box) => {
  for (const old of box.querySelectorAll(".brail")) old.remove();
  const { top } = box.getBoundingClientRect();
  for (const side of ["left", "right"]) {
    const placed = [];
    for (const row of rows().filter((each) => each.parentElement.classList.contains("block"))) {
      const pieces = piecesOf(row, side);
      const [first, last] = [pieces[0]?.getClientRects()[0], [...(pieces.at(-1)?.getClientRects() ?? [])].at(-1)];
      if (!first || !last) continue;
      const span = { from: first.top - top, to: last.bottom - top };
      const depth = placed.filter(({ from, to }) => from < span.to && span.from < to).length;
      placed.push(span);
      const rail = document.createElement("span");
      rail.className = `brail ${side} ${stateOf(row)}`;
      rail.style.top = `${span.from + 4}px`;
      rail.style.height = `${Math.max(8, span.to - span.from - 8)}px`;
      rail.style.setProperty("--depth", Math.min(depth, DEEPEST));
      box.append(rail);
    }
  }
};

export const layOut = () => {
  const box = document.querySelector(".pair-row.texts");
  const seam = box.querySelector(".seam");
  drawRails(box);
  if (!seam.offsetWidth) return;
  const width = seam.offsetWidth;
  const found = measure(seam.getBoundingClientRect().top);
  const knots = new Map([...document.querySelectorAll("#knots .knot")].map((knot) => [knot.dataset.row, knot]));
  const { style } = document.getElementById("knots");
  style.left = `${seam.offsetLeft + box.offsetLeft}px`;
  style.top = `${seam.offsetTop + box.offsetTop}px`;
  placeKnots(found, knots, width);
  drawWires(found, seam, width);
};
