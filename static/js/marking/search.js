// Finding words in the essay: every place shines, one after another comes into view.
import { activeMark } from "./active.js";
import { byPointer, put } from "./caret.js";
import { extentOf, intoView, quote, shine, text } from "./places.js";
import { bring } from "./sending.js";

const part = (id) => document.getElementById(id);
const fold = (sign) => sign.toLowerCase().replace("ё", "е");

let found = [];
let here = -1;
let same = null; // the module that marks all of them, where a draft may be changed

/** The places of some words in a text of code points, whatever their case. */
export const placesOf = (signs, words) => {
  const [all, wanted] = [signs.map(fold), [...words.trim()].map(fold)];
  const places = [];
  for (let start = 0; wanted.length && start + wanted.length <= all.length; start += 1) {
    if (wanted.every((sign, index) => all[start + index] === sign)) {
      places.push({ start, end: start + wanted.length });
      start += wanted.length - 1;
    }
  }
  return places;
};

const show = () => {
  shine("found", found);
  shine("found-here", found[here] ? [found[here]] : []);
  part("search-count").textContent = found.length ? `${here + 1} / ${found.length}` : "0";
  if (found[here]) intoView(found[here]);
};

const look = () => {
  found = placesOf(text(), part("search-words").value);
  here = found.length ? 0 : -1;
  show();
  same?.offer(found);
};

const step = (direction) => {
  if (!found.length) return;
  here = (here + direction + found.length) % found.length;
  show();
};

const LONGEST = 80; // signs of a mark that are proposed for the search

/** The words of the active mark, where they are few and on one line. */
const proposed = () => {
  const extent = activeMark() && extentOf(activeMark());
  const words = extent ? quote(extent) : "";
  return words.length <= LONGEST && !words.includes("\n") ? words : "";
};

/** Look for what stands in the field, which is open; for the active mark's words, where nothing does. */
export const begin = async () => {
  const field = part("search-words");
  if (!field.value) {
    field.value = proposed();
    field.select();
  }
  look();
  if (!part("same")) return;
  same = await bring("same");
  same?.offer(found);
};

/** Nothing is found any more. */
export const clear = () => {
  [found, here] = [[], -1];
  show();
};

/** Close it; what was found is selected. */
const end = () => {
  const place = found[here];
  part("search").hidden = true;
  clear();
  part("essay").focus({ preventScroll: true });
  if (!place || !quote(place)) return;
  byPointer(true); // these very signs
  put(place.end, place.start);
};

part("search-words").addEventListener("input", look);
part("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) same?.go();
  else if (event.key === "Enter" && event.target.matches("button, select")) return;
  else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  else if (event.key === "Escape") end();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
part("search").addEventListener("click", (event) => {
  const { step: by } = event.target.closest("[data-step]")?.dataset ?? {};
  if (by) step(Number(by));
  if (event.target.closest("[data-close-search]")) end();
});
