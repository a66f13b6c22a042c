// The marking page: a selection and a code make a mark, a click on a mark opens its card.
import { selectedPlace } from "./selection.js";

const desk = () => document.getElementById("desk");
const essay = () => document.getElementById("essay");

let place = null; // the last selection in the essay: {start, end, quote}
let wholeText = false; // the next code is a mistake of the whole text

const newId = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

const ask = (verb, path, values = {}) =>
  htmx.ajax(verb, path, { target: "#desk", swap: "outerHTML", values });

const showSelected = () => {
  const line = document.getElementById("selected");
  if (line && place) line.textContent = `“${place.quote}”`;
};

const mark = (code) => {
  const where = wholeText ? {} : place;
  if (!where) return;
  ask("POST", desk().dataset.fragments, {
    version: desk().dataset.version,
    uid: newId(),
    code,
    ...where,
  });
  place = null;
  wholeText = false;
};

const open = (number) => ask("GET", `${desk().dataset.fragments}${number}/`);

// a repeated click on the same piece goes from the innermost fragment outwards
let lastPiece = null;
let depth = 0;
const openAt = (piece) => {
  const numbers = piece.dataset.m.split(" ").reverse();
  depth = piece.dataset.s === lastPiece ? (depth + 1) % numbers.length : 0;
  lastPiece = piece.dataset.s;
  open(numbers[depth]);
};

document.addEventListener("selectionchange", () => {
  const found = essay() && selectedPlace(essay());
  if (found) {
    place = found;
    showSelected();
  }
});

document.addEventListener("click", (event) => {
  const code = event.target.closest("[data-code]");
  const number = event.target.closest("[data-open]");
  const piece = event.target.closest("#essay [data-m]");
  if (code) {
    wholeText = wholeText || "whole" in code.dataset;
    mark(code.dataset.code);
  } else if (event.target.closest("[data-whole-text]")) {
    wholeText = true;
    event.target.closest("[data-whole-text]").setAttribute("aria-pressed", "true");
  } else if (number) {
    open(number.dataset.open);
  } else if (piece && getSelection().isCollapsed) {
    openAt(piece);
  }
});

// the palette must not take the selection away
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-code]")) event.preventDefault();
});

// only the subcodes of the chosen code can be chosen
document.addEventListener("change", (event) => {
  if (event.target.id !== "card-code") return;
  const subcode = document.getElementById("card-subcode");
  for (const option of subcode.options) {
    const isOther = option.value !== "" && option.dataset.of !== event.target.value;
    option.hidden = isOther;
    option.disabled = isOther;
  }
  subcode.value = "";
});

document.addEventListener("htmx:afterSwap", () => {
  const card = document.getElementById("card");
  card?.querySelector("select, input:not([type=hidden])")?.focus({ preventScroll: true });
});
