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

/** What stands at the same line, in the order of the list. */
const byLine = (found) => {
  const height = Math.max(...found.map(({ knot }) => knot?.offsetHeight ?? 0));
  const lines = [];
  for (const each of found) {
    const line = lines.find(([first]) => Math.abs(first.y - each.y) < height);
    if (line) line.push(each);
    else lines.push([each]);
  }
  return lines;
};

const size = (all) => {
  for (const each of all) each.size = (each.knot?.offsetWidth ?? 0) + GAP;
};

const widthOf = (line) => line.reduce((sum, each) => sum + each.size, GAP);

/** Side by side, in the middle of the seam. */
const stand = (line, width) => {
  let at = (width - widthOf(line)) / 2 + GAP;
  for (const each of line) {
    each.x = at + (each.size - GAP) / 2;
    at += each.size;
    if (!each.knot) continue;
    each.knot.style.left = `${each.x}px`;
    each.knot.style.top = `${each.y}px`;
  }
};

/** A knot for those a line has no room for: it goes on to the first of them. */
const moreOf = (line, box) => {
  const more = document.createElement("button");
  Object.assign(more, { type: "button", tabIndex: -1, className: "knot tight more", textContent: `+${line.length}` });
  more.style.left = "0px";
  box.append(more);
  return { knot: more, y: line[0].y };
};

/** As many of a line as it has room for, the chosen one among them, and how many more there are. */
const standByTurns = (line, width, box) => {
  const more = moreOf(line, box);
  size([more]);
  const most = Math.max(1, Math.floor((width - GAP - more.size) / Math.max(...line.map((each) => each.size))));
  const chosen = Math.max(0, line.findIndex(({ row }) => row === chosenRow()));
  const from = chosen - (chosen % most);
  const shown = line.slice(from, from + most);
  more.knot.dataset.go = (line[from + most] ?? line[0]).row.dataset.row;
  more.knot.textContent = `+${line.length - shown.length}`;
  stand([...shown, more], width);
  for (const each of line.filter((one) => !shown.includes(one))) {
    each.x = more.x;
    each.knot?.removeAttribute("style");
  }
};

/** Knots of one line apart: narrower where they are many, by turns where they are too many. */
const placeKnots = (found, knots, width, box) => {
  for (const old of box.querySelectorAll(".more")) old.remove();
  for (const each of found) {
    each.y = each.left ?? each.right;
    each.knot = knots.get(each.row.dataset.row);
    each.knot?.classList.remove("tight");
    if (each.knot) each.knot.style.left = "0px"; // without a place it is not shown
  }
  size(found);
  const lines = byLine(found);
  const isFull = (line) => widthOf(line) > width;
  const full = lines.filter(isFull).flat();
  for (const { knot } of full) knot?.classList.add("tight");
  size(full);
  for (const line of lines) if (isFull(line)) standByTurns(line, width, box);
  for (const line of lines) if (!isFull(line)) stand(line, width);
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
  const knots = new Map([...document.querySelectorAll("#knots .knot[data-row]")].map((knot) => [knot.dataset.row, knot]));
  const ties = document.getElementById("knots");
  ties.style.left = `${seam.offsetLeft + box.offsetLeft}px`;
  ties.style.top = `${seam.offsetTop + box.offsetTop}px`;
  placeKnots(found, knots, width, ties);
  drawWires(found, seam, width);
};
