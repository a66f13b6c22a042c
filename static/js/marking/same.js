// What was found is marked all at once: like the active mark, or like one of the quick marks. Places that
// bear the code already are left as they are, and so are parts of words.
import { activeMark, itemOf } from "./active.js";
import * as changes from "./changes.js";
import { ownMark } from "./palette.js";
import { quote, snap, text } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const fold = (code) => code.trim().toLowerCase();

const option = (value, words) => new Option(words, value);

/** Which mark the places may be like: the active one first, then those of the keys, of which none is meant unasked. */
const models = () => {
  const item = activeMark() && itemOf(activeMark());
  const own = item ? [option(`like ${activeMark()}`, said(item))] : [];
  const quick = [...document.querySelectorAll("#palette [data-quick]")];
  const ask = own.length || !quick.length ? [] : [option("", part("same").dataset.ask)];
  return [...own, ...ask, ...quick.map(({ dataset, title }) => option(dataset.value, [dataset.quick, dataset.subcode, title].filter(Boolean).join(" ")))];
};

const asked = (item) => (item.dataset.start ? ` · ${quote({ start: Number(item.dataset.start), end: Number(item.dataset.end) })}` : "");

/** All that a mark made like this one has, and at which words this one is. */
const said = (item) => {
  const { code, subcode, comment, correction } = item.dataset;
  return [code, subcode, comment, correction && `→ ${correction}`].filter(Boolean).join(" ") + asked(item);
};

/** Mark places that have the same words, all in one change; ``like`` says with what. */
const markAll = (places, words, like) => {
  const named = places.map(({ start, end }) => `${start}-${end}:${sending.newId()}`).join(" ");
  const values = { places: named, quote: words, ...like };
  return changes.send(part("desk").dataset.same, values, `${words} × ${places.length} · ${like.code}`);
};

/** What the chosen model says: the code for this page, and what the server is to copy. */
const chosen = () => {
  const [kind, number] = part("same-as").value.split(" ");
  if (kind === "like") {
    const { code } = itemOf(number)?.dataset ?? {};
    return code ? { code, like: changes.nameOfMark(number) } : null;
  }
  const own = kind && ownMark(kind);
  return own ? { ...own.code, ...own.words } : null;
};

/** Which places are to be marked with a code, how many have it already, how many are parts of words. */
export const sorted = (places, code, marks, signs) => {
  const same = marks.filter((mark) => fold(mark.code) === fold(code));
  const isMarked = ({ start, end }) => same.some((mark) => mark.start < end && mark.end > start);
  const isWhole = (place) => {
    const { start, end } = snap(signs, place.start, place.end) ?? {};
    return start === place.start && end === place.end;
  };
  const free = places.filter((place) => !isMarked(place));
  return { wanted: free.filter(isWhole), marked: places.length - free.length, parts: free.filter((place) => !isWhole(place)).length };
};

const marksHere = () =>
  [...document.querySelectorAll("#marks > [data-mark]:not([hidden])")].map(({ dataset }) => ({
    code: dataset.code,
    start: Number(dataset.start),
    end: Number(dataset.end),
  }));

let found = []; // the places the search has found

const sort = () => {
  const like = chosen();
  return like && { like, ...sorted(found, like.code, marksHere(), text()) };
};

const tell = () => {
  const now = sort();
  const { left, parts } = part("same").dataset;
  part("same-as").title = part("same-as").selectedOptions[0]?.text ?? "";
  part("same-count").textContent = now?.wanted.length ?? 0;
  part("same-go").disabled = !now?.wanted.length;
  const told = [now?.marked && left.replace("%s", now.marked), now?.parts && parts.replace("%s", now.parts)];
  part("same-left").textContent = told.filter(Boolean).join(" ");
};

/** Offer to mark these places. */
export const offer = (places) => {
  found = places;
  const { value } = part("same-as");
  part("same-as").replaceChildren(...models());
  if ([...part("same-as").options].some((each) => each.value === value)) part("same-as").value = value;
  part("same").hidden = !found.length || !part("same-as").options.length;
  tell();
};

/** Mark all of them: one change, one step of undoing. */
export const go = async () => {
  const now = sort();
  const { ask } = part("same").dataset;
  if (found.length && !now) changes.explain(part("same").hidden ? part("toast").dataset.noMark : ask);
  if (!now?.wanted.length) return;
  const words = quote(now.wanted[0]);
  await markAll(now.wanted, words, now.like);
};

part("same-as").addEventListener("change", tell);
part("same-go").addEventListener("click", go);
part("desk").addEventListener("marks-renewed", () => part("search").hidden || offer(found));
part("desk").addEventListener("mark-activated", () => part("search").hidden || offer(found));
