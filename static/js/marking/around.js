// The tags at the ends of linked fragments, the size of the text, the map: they come when the page stands already.
import { anew } from "./margin.js";
import * as sight from "./sight.js";

const GAP = 2; // pixels between tags of a line
const ROOM = 8; // pixels beside the column that a tag may use

const part = (id) => document.getElementById(id);

let pen = null;

const widthOf = (words, essay) => {
  pen ??= document.createElement("canvas").getContext("2d");
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  pen.font = `${0.6875 * rem}px ${getComputedStyle(essay.parentElement).fontFamily}`;
  return pen.measureText(words).width;
};

/** The side of its place a tag hangs to, the room it has there, and its line. */
const sideOf = (piece, essay, { left, right }) => {
  const { right: end, top } = [...piece.getClientRects()].at(-1) ?? {};
  if (end === undefined) return { isShy: false, room: null };
  const width = widthOf(piece.dataset.tag, essay);
  const isShy = end + width > right && end - left > right - end;
  const room = isShy ? end - left : right - end;
  return { isShy, room: width > room ? room : null, top, end, wide: Math.min(width, room) };
};

/** No two tags of a line lie over each other: each is cut short where the place of its neighbour is. */
const keepApart = (sides) => {
  const placed = sides.filter(({ top }) => top !== undefined).sort((one, other) => one.top - other.top || one.end - other.end);
  for (const [at, one] of placed.slice(0, -1).entries()) {
    const next = placed[at + 1];
    const between = next.end - one.end - GAP;
    if (next.top - one.top > 1) continue;
    const wanted = (one.isShy ? 0 : one.wide) + (next.isShy ? next.wide : 0);
    if (wanted <= between) continue;
    const room = Math.max(0, one.isShy || !next.isShy ? between : between / 2);
    if (!one.isShy) one.room = Math.min(one.room ?? room, room);
    if (next.isShy) next.room = Math.min(next.room ?? room, room);
  }
};

/** Hang every tag of an essay to the side that has room for it; one too long for either is cut short there. */
export const hang = (essay) => {
  const tagged = [...essay.querySelectorAll("[data-tag]")];
  if (!tagged.length) return;
  const right = Math.min(essay.getBoundingClientRect().right + ROOM, document.documentElement.clientWidth - 2);
  const { left } = essay.getBoundingClientRect();
  const sides = tagged.map((piece) => sideOf(piece, essay, { left, right }));
  keepApart(sides);
  for (const [at, piece] of tagged.entries()) {
    const { isShy, room } = sides[at];
    piece.classList.toggle("shy", isShy);
    if (room !== null) piece.style.setProperty("--tag-room", `${Math.floor(room)}px`);
    else if (piece.style.length) piece.removeAttribute("style");
  }
};

// ── size of the text ────────────────────────────────────────────────────────

const SIZES = [100, 112, 125, 150, 175]; // percent

/** Make the text of the essay larger or smaller by a step. */
export const zoom = (by) => {
  const root = document.documentElement;
  const now = SIZES.indexOf(Number(root.dataset.zoom));
  root.dataset.zoom = SIZES[Math.min(Math.max(now + by, 0), SIZES.length - 1)];
  localStorage.setItem("razbor-zoom", root.dataset.zoom);
  anew();
};

// ── the map ─────────────────────────────────────────────────────────────────

/** The paragraphs that are not blank: {start, end} in signs, {top, bottom} in percent of the height of the text. */
export const paragraphs = () => {
  const { top, height } = part("essay").getBoundingClientRect();
  return [...part("essay").querySelectorAll(".par:not(.blank)")].map((par) => {
    const [first, last] = [par.firstElementChild, par.lastElementChild];
    const box = par.getBoundingClientRect();
    const [above, below] = [box.top, box.bottom].map((y) => (100 * (y - top)) / height);
    return { start: Number(first.dataset.s), end: Number(last.dataset.s) + last.textContent.length, top: above, bottom: below };
  });
};

/** How far down the text a sign lies, in percent: in its paragraph by the signs before it. */
const depthOf = (at, pars) => {
  const { start, end, top, bottom } = pars.find((par) => at <= par.end) ?? pars.at(-1);
  return top + ((bottom - top) * Math.max(at - start, 0)) / (end - start);
};

const tick = (top, bottom, kind) => {
  const made = document.createElement("i");
  made.className = kind;
  made.style.top = `${top}%`;
  made.style.height = `${Math.max(bottom - top, 0.5)}%`;
  return made;
};

const frame = document.createElement("b");

/** Frame the part of the text that is in sight, between the bar and the status line. */
const frameSight = () => {
  if (!part("map")?.offsetParent) return;
  const { top, height } = part("essay").getBoundingClientRect();
  const share = (y) => Math.min(Math.max((100 * (y - top)) / height, 0), 100);
  const [first, last] = [share(sight.coveredBy(".bar")), share(innerHeight - sight.coveredBy(".status"))];
  frame.style.top = `${first}%`;
  frame.style.height = `${last - first}%`;
};

/** Draw it anew; ``found`` are the marks: {item, start, end}, ``pars`` the paragraphs. */
export const drawMap = (found, pars) => {
  const drawn = pars.map(({ top, bottom }) => tick(top, bottom, "line"));
  for (const { item, start, end } of found) drawn.push(tick(depthOf(start, pars), depthOf(end, pars), item.className));
  part("map").replaceChildren(...drawn, frame);
  frameSight();
};

/** The part of the text a point of the map stands for comes into the middle of the window. */
const goTo = ({ clientY }) => {
  const [map, { top, height }] = [part("map"), part("essay")].map((each) => each.getBoundingClientRect());
  const middle = top + (height * (clientY - map.top)) / map.height;
  scrollBy({ top: middle - innerHeight / 2, behavior: "instant" });
};

const guideByMap = (map) => {
  map.addEventListener("mousedown", (event) => event.preventDefault()); // the caret stays in the text
  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    map.setPointerCapture(event.pointerId);
    goTo(event);
  });
  map.addEventListener("pointermove", (event) => map.hasPointerCapture(event.pointerId) && goTo(event));
};

/** Start: the frame follows the window, the window a press on the map; words beside keys take no focus. */
export const begin = () => {
  document.querySelector(".status").addEventListener("mousedown", (event) => event.target.closest("a, button") || event.preventDefault());
  addEventListener("scroll", frameSight, { passive: true });
  if (part("map")) guideByMap(part("map"));
  sight.begin();
};
