// The marks: which one is active, opening their cards, and every change sent to the server.
//
// Changes go one after another, each with the version the one before it left, so that quick hands
// never meet their own conflict. The server answers with the parts of the page that changed.
import * as caret from "./caret.js";
import { layout } from "./margin.js";
import { extentOf, fragmentsAt, piecesByFragment, quote, rangeOf, read, shine } from "./places.js";

const part = (id) => document.getElementById(id);
const desk = () => part("desk");
const base = () => desk().dataset.fragments;
const itemOf = (number) => document.querySelector(`#marks > [data-mark="${number}"], #whole [data-mark="${number}"]`);

let active = null; // the number of the active mark
let asked = Promise.resolve();

/** The number of the active mark, or null. */
export const activeMark = () => active;

/** The items of the list of marks, in reading order. */
export const items = () => [...document.querySelectorAll("#marks > [data-mark]")];

const newId = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

// ── what is shown of the active mark ────────────────────────────────────────

const linkedTo = (number) => {
  const tag = itemOf(number)?.dataset.tag?.toLowerCase();
  if (!tag) return [];
  return items()
    .filter((item) => item.dataset.tag?.toLowerCase() === tag)
    .map((item) => item.dataset.mark);
};

const paint = () => {
  for (const each of document.querySelectorAll(".on, .on-s, .on-e, .linked")) {
    each.classList.remove("on", "on-s", "on-e", "linked");
  }
  if (active === null) return;
  const pieces = piecesByFragment();
  for (const number of linkedTo(active)) {
    for (const piece of pieces.get(number) ?? []) piece.classList.add("linked");
    itemOf(number)?.classList.add("linked");
  }
  const own = pieces.get(active) ?? [];
  for (const piece of own) piece.classList.add("on");
  own[0]?.classList.add("on-s");
  own.at(-1)?.classList.add("on-e");
  itemOf(active)?.classList.add("on");
};

const rove = () => {
  const all = items();
  const current = all.find((item) => item.dataset.mark === active) ?? all[0];
  for (const item of all) item.querySelector("button").tabIndex = item === current ? 0 : -1;
};

/** Make a mark the active one; null for none. */
export const activate = (number, { scroll = false } = {}) => {
  active = number === null ? null : String(number);
  paint();
  rove();
  desk().dispatchEvent(new CustomEvent("mark-activated"));
  const extent = active && extentOf(active);
  if (scroll && extent) {
    const rect = rangeOf(extent).getBoundingClientRect();
    if (rect.top < 80 || rect.bottom > innerHeight - 64) scrollBy({ top: rect.top - innerHeight / 3 });
  }
};

/** The next or the previous mark of the list. */
export const step = (direction) => {
  const all = items();
  if (!all.length) return;
  const focused = document.activeElement?.closest("#marks > [data-mark]");
  const here = all.findIndex((item) => item === focused || (!focused && item.dataset.mark === active));
  const next = here < 0 ? nearest(all, direction) : (here + direction + all.length) % all.length;
  activate(all[next].dataset.mark, { scroll: true });
  say(all[next].querySelector("button").textContent);
  if (document.activeElement?.closest("#marks")) all[next].querySelector("button").focus();
  if (part("cards").firstElementChild) open(active);
};

const nearest = (all, direction) => {
  const after = all.findIndex((item) => Number(item.dataset.start) >= caret.at());
  if (direction > 0) return after < 0 ? 0 : after;
  return after <= 0 ? all.length - 1 : after - 1;
};

/** Go through the marks at the caret: -1 to a wider one, 1 to a deeper one. */
export const cycle = (direction) => {
  const here = fragmentsAt(caret.at());
  const stack = here.length ? here : fragmentsAt(Math.max(0, caret.at() - 1));
  if (!stack.length) return;
  const place = stack.indexOf(Number(active));
  const next = place < 0 ? stack.length - 1 : (place + direction + stack.length) % stack.length;
  activate(stack[next]);
  say(itemOf(active)?.querySelector("button").textContent ?? "");
  if (part("cards").firstElementChild) open(active);
};

/** Say something to those who listen. */
export const say = (words) => {
  part("said").textContent = words;
};

let lit = null;

/** Light up the mark under the pointer, in the text and beside it; null for none. */
export const light = (number) => {
  if (String(number) === String(lit)) return;
  for (const each of document.querySelectorAll(".hover")) each.classList.remove("hover");
  lit = number;
  if (number === null) return;
  for (const piece of piecesByFragment().get(String(number)) ?? []) piece.classList.add("hover");
  itemOf(number)?.classList.add("hover");
};

// ── asking the server ───────────────────────────────────────────────────────

const state = (name) => {
  if (part("saved")) part("saved").dataset.state = name;
};

const answered = ({ detail }) => {
  if (detail.requestConfig.verb === "get") return; // a look changes nothing, saved or not
  const { status } = detail.xhr;
  state(status === 409 ? "conflict" : status >= 200 && status < 500 ? "saved" : "offline");
};

const renew = () => {
  read(part("essay"));
  if (active !== null && !itemOf(active)) active = null;
  paint();
  rove();
  caret.restore();
  layout();
  desk().dispatchEvent(new CustomEvent("marks-renewed"));
};

const ask = async (verb, path, values) => {
  if (verb === "POST") state("saving");
  const sent = verb === "POST" ? { ...values, version: part("saved").dataset.version } : values;
  await htmx.ajax(verb, path, { target: "#cards", swap: "none", values: sent }).catch(() => verb === "POST" && state("offline"));
  renew();
};

/** One request after another: htmx would drop one that meets two others. */
const inTurn = (request) => {
  asked = asked.then(request, request);
  return asked;
};

/** Send a change; changes go one after another. */
export const send = (path, values = {}) => {
  return inTurn(() => ask("POST", path, values));
};

/** Wait until every change made so far is answered. */
export const settled = async () => {
  for (let last = null; last !== asked; ) await (last = asked);
};

/** Is the page as the server has it? Not after a change that did not arrive. */
export const isSaved = () => part("saved").dataset.state === "saved";

/** What the reader has opened stays open in the part that takes its place. */
const keepOpen = ({ detail }) => {
  for (const { id } of detail.target.querySelectorAll("details[id][open]")) {
    detail.fragment.querySelector(`#${id}`)?.setAttribute("open", "");
  }
};

/** The page as the server sent it: begin here. */
export const begin = () => {
  document.addEventListener("htmx:afterRequest", answered);
  document.addEventListener("htmx:oobBeforeSwap", keepTyped);
  document.addEventListener("htmx:oobAfterSwap", bringTyped);
  document.addEventListener("htmx:oobBeforeSwap", keepOpen);
  read(part("essay"));
  rove();
};

// ── the changes ─────────────────────────────────────────────────────────────

let looks = 0; // cards asked for: only the last one is shown
const opened = () => part("cards").dataset.open ?? null;

/** Mark a place with a code; without a place it is a mistake of the whole text. */
export const mark = async (place, { code, subcode = "" }) => {
  const where = place ? { ...place, quote: quote(place) } : {};
  if (place) shine("pending", [place]);
  await send(base(), { uid: newId(), code, subcode, ...where });
  shine("pending", []);
  if (opened()) activate(opened());
};

/** Open the card of a mark, with those of all that lie over the same place. */
export const open = async (number, { at = null, focus = false } = {}) => {
  activate(number, { scroll: at === null });
  const own = (looks += 1);
  await inTurn(() => own === looks && ask("GET", `${base()}${number}/`, at === null ? {} : { at }));
  if (focus && own === looks) focusCard();
};

/** Go into the open card. */
export const focusCard = () => {
  const first = part("cards").querySelector("[data-first]") ?? part("cards").querySelector("input, select, textarea, button");
  first?.focus({ preventScroll: true });
};

/** Close the card. */
export const close = () => {
  looks += 1;
  part("cards").replaceChildren();
  delete part("cards").dataset.open;
  layout();
};

const startOf = (field) =>
  field.options ? ([...field.options].find((each) => each.defaultSelected)?.value ?? "") : field.defaultValue;

/** The fields of a card that are not as the server sent them: [name, words]. */
const touched = (form) =>
  [...form.elements].filter(({ name }) => name).map((field) => [field.name, field.value]).filter(([name, words]) => words !== startOf(form.elements[name]));

const isUnsent = (form) => {
  const sent = JSON.parse(form.dataset.sent ?? "{}");
  return touched(form).some(([name, words]) => sent[name] !== words);
};

let typed = null; // {number, fields, unsent}: while the old card goes and the new one comes

const keepTyped = ({ detail }) => {
  const form = detail.target.id === "cards" && detail.target.querySelector("form");
  if (form) typed = { number: form.dataset.number, fields: touched(form), unsent: isUnsent(form) };
};

/** The card that comes may be older than what was typed: the words stay, sent already or not. */
const bringTyped = () => {
  const form = part("cards").querySelector("form");
  if (!typed || !form) return;
  const { number, fields, unsent } = typed;
  typed = null;
  if (form.dataset.number !== number) return;
  for (const [name, words] of fields) if (form.elements[name]) form.elements[name].value = words;
  if (unsent) save(form, { quiet: true });
};

/** Save a card's fields, unless just these were sent; ``quiet`` leaves the card, ``done`` insists. */
export const save = (form, { quiet = false, done = false } = {}) => {
  const fields = Object.fromEntries(new FormData(form));
  const words = JSON.stringify(fields);
  if (!done && form.dataset.sent === words) return asked; // a field left behind a "Done"
  form.dataset.sent = words;
  return send(`${base()}${form.dataset.number}/`, { ...fields, quiet: quiet ? 1 : "" });
};

/** Change some fields of a mark. */
export const change = (number, values) => send(`${base()}${number}/`, values);

/** Move a mark's borders. */
export const move = (number, place) => change(number, { ...place, quote: quote(place) });

const STAYS = 6000; // milliseconds; longer while somebody is at it

const toast = () => part("toast");
let timer = 0;

const hideToast = () => {
  if (toast().matches(":hover, :focus-within")) timer = setTimeout(hideToast, STAYS);
  else toast().replaceChildren();
};

/** Delete a mark; a toast brings it back. */
export const drop = async (number) => {
  if (String(number) === active) activate(null);
  if (opened() === String(number)) close();
  looks += 1;
  await send(`${base()}${number}/drop/`);
  if (opened() === String(number)) close(); // it was on its way
  clearTimeout(timer);
  timer = setTimeout(hideToast, STAYS);
};

/** Bring back what was deleted last, while the toast offers it. */
export const restore = async () => {
  const form = toast().querySelector("form");
  if (!form) return;
  const values = Object.fromEntries(new FormData(form));
  toast().replaceChildren();
  const { start, end } = values;
  await send(base(), start ? { ...values, quote: quote({ start: Number(start), end: Number(end) }) } : values);
  if (opened()) activate(opened());
};

/** Give two marks one tag: that of either, or a new one. */
export const link = async (first, second) => {
  await send(desk().dataset.links, { first, second });
  activate(first);
};
