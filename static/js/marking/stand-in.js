// The card of a mark while the server's does not come: what this page knows of the mark can be changed, and waits
// with the rest. The server's card takes its place, with what was typed, as soon as it comes.
import { activate, itemOf } from "./active.js";
import * as cards from "./cards.js";
import { addressOf, nameOfMark } from "./changes.js";
import { stored } from "./listing.js";
import { layout } from "./margin.js";
import { choices } from "./palette.js";
import { extentOf } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const base = () => part("desk").dataset.fragments;
const formHere = () => part("cards").querySelector("form[data-stand-in]");

/** Does a stand-in lie open? */
export const isOpen = () => formHere() !== null;

/** What this page knows of a mark; null where that is not all of it: marks made alike come with an answer. */
const wordsOf = (number) => {
  const item = itemOf(number);
  if (!item?.dataset.pending) return item ? stored(item).dataset : null;
  if (item.dataset.pending !== "made") return item.dataset;
  const name = nameOfMark(number);
  return sending.unanswered().find(({ path, values }) => path === base() && values.uid === name)?.values ?? null;
};

const known = (code) => choices().find((each) => each.code.toLowerCase() === code.trim().toLowerCase());

/** Show a field and what it is called, or neither. */
const showField = (field, isShown) => {
  for (const each of [field, ...field.labels]) each.hidden = !isShown;
};

/** Offer the subcodes of the code, and none. */
const offerSubcodes = (form, chosen, stored) => {
  const field = form.elements.subcode;
  const subcodes = known(form.elements.code.value)?.subcodes ?? [];
  const names = subcodes.map(({ code, names: [name] }) => [code, `${code} – ${name}`]);
  const isKnown = names.some(([code]) => code === chosen);
  const options = [["", "–"], ...names, ...(isKnown || !chosen ? [] : [[chosen, chosen]])];
  showField(field, options.length > 1);
  field.replaceChildren(...options.map(([code, name]) => new Option(name, code, code === stored, code === chosen)));
};

const toneOf = ({ code = "", block = false } = {}) => (block ? "block" : code.toLowerCase() === "исп" ? "isp" : "mistake");

/** The card says what its code is, and has the fields that one allows and those that say something. */
const suit = (form) => {
  const { code, correction, tag } = form.elements;
  const found = known(code.value);
  const tone = toneOf(found ?? { code: code.value });
  form.className = `card ${tone}`;
  form.querySelector("[data-code]").textContent = code.value;
  form.querySelector("[data-name]").textContent = found?.names[0] ?? "";
  showField(correction, correction.value || tone !== "block");
  showField(tag, tag.value || found?.tagged !== false);
};

/** Another code may have come since: from the palette, or by its own field. Who is in a field that goes goes on beside it. */
const renew = () => {
  const form = formHere();
  if (!form) return;
  const { activeElement } = document;
  const { subcode, comment } = form.elements;
  offerSubcodes(form, subcode.value, form.dataset.subcode);
  suit(form);
  layout();
  if (activeElement.hidden) comment.focus({ preventScroll: true });
};

/** The field that is to be filled next gets the focus, as in the server's card. */
const setFirst = ({ subcode, correction, comment }) => {
  const next = correction.hidden ? comment : correction;
  (subcode.options.length > 1 && !subcode.value ? subcode : next).dataset.first = "";
};

const fillIn = (form, number, words) => {
  Object.assign(form.dataset, { number, standIn: "", subcode: words.subcode ?? "", source: words.source ?? "" });
  form.querySelector("[data-do=drop]").dataset.value = number;
  const now = { ...words, ...sending.onTheWay(addressOf(number)) }; // what waits counts, and is not stored yet
  for (const name of ["code", "correction", "comment", "explanation", "tag"]) {
    form.elements[name].defaultValue = words[name] ?? "";
    form.elements[name].value = now[name] ?? "";
  }
  offerSubcodes(form, now.subcode ?? "", form.dataset.subcode);
  suit(form);
  setFirst(form.elements);
};

/** Show it; false where too little is known of the mark. */
export const show = (number) => {
  const words = wordsOf(number);
  if (!words) return false;
  part("cards").replaceChildren(part("stand-in").content.cloneNode(true));
  fillIn(part("cards").querySelector("form"), number, words);
  part("cards").dataset.open = number;
  Object.assign(part("cards"), { role: "group", ariaLabel: part("stand-in").ariaLabel });
  layout();
  return true;
};

/** The mark that was made last waits: its card opens all the same. */
export const openNew = () => {
  const last = sending.unanswered().filter(({ path }) => path === base()).at(-1);
  const pending = [...document.querySelectorAll(":is(#marks, #whole) > [data-pending]")].map(({ dataset }) => dataset.mark);
  const number = pending.find((each) => nameOfMark(each) === last?.values.uid);
  return Boolean(number) && cards.open(number, { focus: true });
};

/** A mark goes by its number, and what waits for it by that, too. */
const rename = (form, number) => {
  const before = addressOf(form.dataset.number);
  form.dataset.number = number;
  for (const change of sending.unanswered()) change.path = change.path.replace(before, addressOf(number));
};

/** A mark made here has got its number, and its card comes. */
const takeNumber = ({ detail: { target, fragment } }) => {
  const form = target.id === "cards" && formHere();
  const { number } = fragment.querySelector("form")?.dataset ?? {};
  if (form && number && sending.inAnswer(base()).uid === nameOfMark(form.dataset.number)) rename(form, number);
};

/** The number of a copy of what an earlier check has, once it is stored. */
const numberOfCopy = (source) => {
  const taken = part("taken")?.dataset.taken.trim().split(" ") ?? [];
  return taken.find((each) => each.startsWith(`${source}:`))?.split(":")[1];
};

/** A mark that a step laid back goes by its own number again, one that was taken by the number it has got; the server's
 * card comes. */
const takeOwnNumber = () => {
  const form = formHere();
  if (!form || itemOf(form.dataset.number)) return;
  const name = form.dataset.source ? numberOfCopy(form.dataset.source) : nameOfMark(form.dataset.number);
  if (!name || !itemOf(name)) return;
  rename(form, name);
  form.querySelector("[data-do=drop]").dataset.value = name;
  part("cards").dataset.open = name;
  activate(name);
  cards.open(name, { at: extentOf(name)?.start ?? null });
};

sending.warm("code-field"); // codes are looked up in a cut, too
document.addEventListener("htmx:oobBeforeSwap", takeNumber, true); // before words typed into the card are kept by its number
part("sheet").addEventListener("focusin", ({ target }) => target.form === formHere() && renew());
part("desk").addEventListener("recoded", renew);
part("desk").addEventListener("marks-renewed", takeOwnNumber);
