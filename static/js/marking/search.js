// Finding words in the essay: every place shines, one after another comes into view.
import { put } from "./caret.js";
import { quote, rangeOf, shine, text } from "./places.js";

const part = (id) => document.getElementById(id);
const fold = (sign) => sign.toLowerCase().replace("ё", "е");

let found = [];
let here = -1;

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
  if (!found[here]) return;
  const rect = rangeOf(found[here]).getBoundingClientRect();
  if (rect.top < 80 || rect.bottom > innerHeight - 64) scrollBy({ top: rect.top - innerHeight / 3 });
};

const look = () => {
  found = placesOf(text(), part("search-words").value);
  here = found.length ? 0 : -1;
  show();
};

const step = (direction) => {
  if (!found.length) return;
  here = (here + direction + found.length) % found.length;
  show();
};

/** Look for what stands in the field, which is open. */
export const begin = look;

/** Close it; the caret goes to what was found. */
export const end = () => {
  part("search").hidden = true;
  const place = found[here];
  [found, here] = [[], -1];
  show();
  part("essay").focus({ preventScroll: true });
  if (place && quote(place)) put(place.start);
};

part("search-words").addEventListener("input", look);
part("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
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
