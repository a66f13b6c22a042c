// The cards: opening them, what is typed into them and not stored yet, and what was refused.
import { activate, activateMade, activeMark, itemOf, openedMark } from "./active.js";
import { addressOf, change, explain, isOneMark, nameOfMark, numberIn } from "./changes.js";
import { layout } from "./margin.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const isOpen = () => part("cards").firstElementChild !== null;

// ── fields ─────────────────────────────────────────────────────────────────

/** The fields that have a name. */
const fieldsOf = (form) => [...form.elements].filter((field) => field.name);

/** What the server sent in a field. */
const startOf = (field) => field.options ? ([...field.options].find((each) => each.defaultSelected)?.value ?? "") : field.defaultValue;

/** Put words into a field; a list that does not know them stays as it is. */
const fill = (field, words) => {
  const before = field.value;
  field.value = words;
  if (field.value !== words) field.value = before;
};

/** The server has these words by now; what was typed since stays. */
const know = (field, words) => {
  const now = field.value;
  for (const each of field.options ?? []) each.defaultSelected = each.value === words;
  if (!field.options) field.defaultValue = words;
  field.value = now;
};

// ── what was refused ───────────────────────────────────────────────────────

// Refused words stay with their mark, with the reason, also while its card is closed, until they are
// taken or given up.
const refusals = new Map(); // number of the mark -> {name of the field: {value, why, values}}

const note = (number, fields) => {
  if (Object.keys(fields).length) refusals.set(number, fields);
  else refusals.delete(number);
  part("desk").toggleAttribute("data-refused", refusals.size > 0);
};

/** What was refused of a mark: {name: {value, why}}. */
const refusedOf = (number) => refusals.get(number) ?? {};

/** The numbers of the marks something was refused of. */
const refusedNumbers = () => [...refusals.keys()];

/** These words were refused: {name: {value, why}}. */
const addRefused = (number, fields) => note(number, { ...refusedOf(number), ...fields });

/** These fields are stored by now, or given up; without names all of the mark. */
const forgetRefused = (number, names = Object.keys(refusedOf(number))) =>
  note(number, Object.fromEntries(Object.entries(refusedOf(number)).filter(([name]) => !names.includes(name))));

/** Do the refused fields stand in a card as they were refused? Then they are not sent again. */
const isAsRefused = (form) =>
  Object.entries(refusedOf(form.dataset.number)).every(([name, { value }]) => (form.elements[name]?.value ?? value) === value);

const told = (form) => [...form.querySelectorAll("[role=alert]:not([data-kept])")]; // by the server

const textOf = (alerts) => alerts.map((each) => each.textContent).join(" ");

/** Which fields of a refused change are at fault: all where the server names none. {name: {value, why, values}} */
const atFault = (form, named, values) => {
  const alerts = told(form);
  const whyOf = ({ name }) => textOf(alerts.filter((each) => each.dataset.for === name));
  const noted = ({ name }, why) => [name, { value: values[name], why, values }];
  const wrong = named.filter(whyOf);
  if (wrong.length) return Object.fromEntries(wrong.map((field) => noted(field, whyOf(field))));
  return Object.fromEntries(named.map((field, at) => noted(field, at ? "" : textOf(alerts))));
};

const place = Object.assign(document.createElement("input"), { name: "start" }); // no card has a field of it

/** The fields a change is about; one in no card where it moves borders. */
const namedIn = (form, values) => [...fieldsOf(form), place].filter(({ name }) => name in values);

const sentence = ([, { why }]) => {
  const made = part("refused-word").content.cloneNode(true).firstElementChild;
  made.dataset.kept = "";
  made.querySelector("span").textContent = why;
  return made;
};

/** Say in an open card what was refused, and why. */
const showRefused = (form) => {
  const found = Object.entries(refusedOf(form.dataset.number));
  for (const each of form.querySelectorAll("[data-kept]")) each.remove();
  form.querySelector("h2").after(...found.filter(([, { why }]) => why).map(sentence));
  for (const [name] of found) form.elements[name]?.setAttribute("aria-invalid", "true");
};

/** These fields of an open card are stored by now. */
const takeStored = (form, fields) => {
  const before = refusedOf(form.dataset.number);
  for (const field of fields) if (field.name in before) field.removeAttribute("aria-invalid");
  forgetRefused(form.dataset.number, fields.map(({ name }) => name));
  showRefused(form);
};

// ── open and shut ───────────────────────────────────────────────────────────

let [looks, asked] = [0, 0]; // cards asked for or given up: only the last one is shown; the one asked for last
let asking = null; // the one whose answer is on its way

/** Open the card of a mark, with those of all that lie over the same place; true once it has the focus. */
export const open = async (number, { at = null, focus = false } = {}) => {
  activate(number, { scroll: at === null });
  brought = null;
  const own = (asked = looks += 1);
  const isThere = () => at === null && isOneMark(openedMark(), number) && !cardForm()?.matches("[data-stand-in]"); // it came with its mark
  const isLast = () => (asking = own) === looks && !isThere();
  const status = await sending.look(addressOf(number), at === null ? {} : { at }, isLast);
  asking = null;
  if (own !== looks) return;
  const isMissed = status !== 200 && (status === 404 || !isOneMark(openedMark(), number));
  if (isMissed && !(await missCard(number, at, status))) return;
  bringRefused();
  bringWaiting();
  return focus && !document.activeElement.matches(":is(input, select, textarea):not(#cards *)") && focusCard();
};

/** No card is waited for any more. */
export const giveUp = () => (looks += 1);

/** A card did not come: keys and words for its mark may go into no other. True where another one stands in for it. */
const missCard = async (...missed) => {
  if (openedMark()) close();
  return (await sending.bring("waiting"))?.missCard(...missed);
};

/** Go into the open card; true when it is there. */
export const focusCard = () => {
  const [first] = ["[aria-invalid=true]", "[data-first]", "input, select, textarea, button"].flatMap((each) => part("cards").querySelector(each) ?? []);
  first?.focus({ preventScroll: true });
  return Boolean(first);
};

const shut = () => {
  looks += 1;
  part("cards").replaceChildren();
  for (const name of ["open", "version"]) delete part("cards").dataset[name];
  sending.review();
  layout();
};

/** Close the card, unless somebody is in it. */
export const giveWay = () => part("cards").contains(document.activeElement) || close();

/** What closes the card of a mark once that is done, unless another one is there, or one went on and asked for a card. */
export const closing = (number, before = asked) => (isOn) => !(isOn && asked !== before) && isOneMark(openedMark(), number) && close();

/** Close the card; what was typed and not sent yet goes to the server. */
export const close = () => {
  const form = cardForm();
  shut();
  if (form) sendLeft(form.dataset.number, Object.entries(touched(form)));
};

// ── their words ─────────────────────────────────────────────────────────────

const cardForm = () => part("cards").querySelector("form");

/** What changes that wait say of the mark of a card. */
const toldOf = (form) => sending.onTheWay(addressOf(form.dataset.number));

const namesIn = (words) => words?.split(" ").filter(Boolean) ?? [];

/** The fields of a card that say what the server has not stored: {name: words}. */
export const touched = (form) => {
  const told = toldOf(form);
  const unsent = namesIn(form.dataset.unsent);
  const isNew = ({ name, value }, start) => value !== (told[name] ?? start) || (unsent.includes(name) && !(name in told));
  const found = fieldsOf(form).filter((field) => isNew(field, startOf(field)));
  return Object.fromEntries(found.map(({ name, value }) => [name, value]));
};

/** Those that may be stored: what was refused goes again only once some of it is changed. */
const sendable = (form) => {
  const fields = touched(form);
  if (isAsRefused(form)) for (const name of Object.keys(refusedOf(form.dataset.number))) delete fields[name];
  return fields;
};

let typed = null; // {number, fields, unsent}: while the old card goes and the new one comes

/** Somebody is in the fields of a card, and that of a mark made before comes late: it would take the words that follow. */
const isInWay = (form, fragment) => {
  const { number } = fragment.querySelector("form")?.dataset ?? {};
  return form.contains(document.activeElement) && Boolean(number) && number !== form.dataset.number;
};

/** Was the card that comes along with an answer closed meanwhile? That of a new mark is its own. */
const isShutSince = () => !isOpen() && Boolean(sending.cardThen()) && !sending.inAnswer(part("desk").dataset.fragments).uid;

/** Has one gone to another mark before the card of a new one came, or is its page gone? Keys for that one would go into it. */
const isGonePast = () => {
  const { uid } = sending.inAnswer(part("desk").dataset.fragments);
  return Boolean(uid) && (sending.isLeft() || (![null, brought].includes(activeMark()) && nameOfMark(activeMark()) !== uid));
};

let came = null; // the form of the card that came with an answer, shown or not

const keepTyped = ({ detail }) => {
  if (detail.target.id !== "cards") return;
  came = detail.fragment.querySelector("form");
  const form = cardForm();
  const isGivenUp = asking !== null && asking !== looks;
  detail.shouldSwap = !isGivenUp && !isShutSince() && !isGonePast() && !(form && isInWay(form, detail.fragment));
  if (!form || !detail.shouldSwap) return;
  const answered = sending.inAnswer(addressOf(form.dataset.number)); // the new card has these
  const unsent = namesIn(form.dataset.unsent).filter((name) => !(name in answered));
  const isOurs = ({ name, value }, start) => value !== (answered[name] ?? start) || unsent.includes(name);
  const fields = fieldsOf(form).filter((field) => isOurs(field, startOf(field)));
  typed = { number: form.dataset.number, fields: fields.map(({ name, value }) => [name, value]), unsent };
};

/** The card that comes may be older than what was typed: the words stay, sent already or not. */
const bringTyped = ({ detail }) => {
  if (detail.target.id !== "cards") return;
  if (!typed) return bringWaiting();
  const form = cardForm();
  shown = form ? toldOf(form) : {};
  const { number, fields, unsent } = typed;
  typed = null;
  if (form?.dataset.number !== number) {
    sendLeft(number, fields);
    return;
  }
  form.dataset.unsent = unsent.join(" ");
  for (const [name, words] of fields) if (form.elements[name]) fill(form.elements[name], words);
  showRefused(form);
  save(form, { quiet: true });
};

/** The card went before its last words were sent. */
const sendLeft = (number, fields) => {
  const no = refusedOf(number);
  const told = sending.onTheWay(addressOf(number));
  const left = fields.filter(([name, words]) => no[name]?.value !== words && told[name] !== words);
  if (left.length && itemOf(number)) change(number, { ...Object.fromEntries(left), quiet: 1, card: "" });
};

/** A card that is opened again has the words that were refused. */
const bringRefused = () => {
  const form = cardForm();
  const found = form ? Object.entries(refusedOf(form.dataset.number)) : [];
  if (!found.length) return;
  for (const [name, { value }] of found) if (form.elements[name]) fill(form.elements[name], value);
  showRefused(form);
  layout(); // the card is taller by its reasons
};

let shown = {}; // what waits, as the open card shows it

/** A card older than the changes that wait for its mark has their words: left as it is, it would undo them. */
const bringWaiting = () => {
  const form = cardForm();
  if (!form) return;
  shown = toldOf(form);
  for (const field of fieldsOf(form)) if (field.name in shown) fill(field, shown[field.name]);
};

/** The open card shows what waits by now, and no more what was taken back; what is typed stays. */
export const follow = () => {
  const form = cardForm();
  if (!form) return;
  const before = shown;
  shown = toldOf(form);
  for (const field of fieldsOf(form)) {
    const { name, value } = field;
    if (value !== (before[name] ?? startOf(field)) || value === (shown[name] ?? startOf(field))) continue;
    fill(field, shown[name] ?? startOf(field));
    if (name === "code") part("desk").dispatchEvent(new CustomEvent("recoded"));
  }
};

/** The fields at fault stay refused with the reason; the others of the change travel alone. */
const refuse = (form, named, values) => {
  addRefused(form.dataset.number, atFault(form, named, values));
  form.dataset.unsent = [...new Set([...namesIn(form.dataset.unsent), ...named.map(({ name }) => name)])].join(" ");
  for (const each of told(form)) each.remove(); // it is said in their place
  showRefused(form);
  save(form, { quiet: true });
};

const knowStored = (form, named, values) => {
  takeStored(form, named);
  const names = named.map(({ name }) => name);
  form.dataset.unsent = namesIn(form.dataset.unsent).filter((name) => !names.includes(name)).join(" ");
  if (values.quiet) for (const field of named) know(field, values[field.name]);
};

let brought = null; // the mark that is the active one because it was made last, and nobody went to it

/** What is refused while another card is open is said, and stays with its mark; the rest of the change travels alone. */
const refuseUnseen = (form, values) => {
  const { number } = form.dataset;
  const named = namedIn(form, values);
  addRefused(number, atFault(form, named, values));
  explain(textOf(told(form)));
  sendLeft(number, named.map(({ name }) => [name, values[name]]));
};

/** Borders that were refused are moved again once other words of their mark are stored: what was wrong may be right. */
const moveAgain = (number, { start: isMoved = sending.onTheWay(addressOf(number)).start }) => {
  const { start, end, quote } = refusedOf(number).start?.values ?? {};
  if (start === undefined || isMoved !== undefined) return;
  forgetRefused(number, ["start"]);
  change(number, { start, end, quote });
};

const settleChange = ({ path, values }, status) => {
  const number = (status === 422 && came?.dataset.number) || numberIn(path);
  const form = cardForm();
  if (status === 200) moveAgain(number, values);
  if (!number || number !== form?.dataset.number) {
    if (status === 200) forgetRefused(number, Object.keys(values));
    else if (status === 422 && came) refuseUnseen(came, values);
    return;
  }
  const named = namedIn(form, values);
  if (status === 422) refuse(form, named, values);
  else if (status === 200) knowStored(form, named, values);
};

/** After an answer, and the change it answers, the cards know what the server has by now. */
export const settle = (change, status) => {
  for (const number of refusedNumbers()) if (!itemOf(number)) forgetRefused(number);
  if (change) settleChange(change, status);
  came = null;
  follow();
  const isNew = change?.path === part("desk").dataset.fragments; // its card comes with the answer, however late
  const isFree = [null, brought].includes(activeMark()); // one has gone to no other mark meanwhile
  if (!isNew || status !== 200 || !openedMark() || !isFree) return;
  brought = openedMark();
  activateMade(brought);
};

/** Save what was changed in a card; ``quiet`` leaves the card as it is, unless it says what is wrong. */
export const save = (form, { quiet = false } = {}) => {
  const fields = sendable(form);
  if (!Object.keys(fields).length) return sending.settled();
  const isQuiet = quiet && !Object.keys(fields).some((name) => name in refusedOf(form.dataset.number));
  return change(form.dataset.number, { ...fields, ...(isQuiet && { quiet: 1, card: "" }) });
};

/** The page goes: what is typed into the open card becomes a change, which the browser keeps. */
export const keepWords = () => cardForm() && save(cardForm(), { quiet: true });

/** Give up what was refused of a mark: its card shows what is stored. */
export const forget = (number) => {
  forgetRefused(number);
  shut();
  return open(number, { focus: true });
};

/** Are there words of cards that the server does not have? */
export const hasUnsaved = () =>
  refusedNumbers().length > 0 || (cardForm() !== null && Object.keys(touched(cardForm())).length > 0);

/** Open the card of a mark something was refused of, if there is one. */
export const openRefused = () => {
  const [number] = refusedNumbers();
  return number && (openedMark() === number ? focusCard() : open(number, { focus: true }));
};

// ── what happens elsewhere ──────────────────────────────────────────────────

const shutOf = (number) => openedMark() === number && shut();

const onLeave = ({ detail: number }) => {
  forgetRefused(number);
  shutOf(number);
  looks += 1;
};

/** Changes were given up: the fields of the open card show what is stored. */
const onGivenUp = ({ detail: changes }) => {
  const form = cardForm();
  for (const { path, values } of changes) {
    if (!form || path !== addressOf(form.dataset.number)) continue;
    for (const field of fieldsOf(form)) if (field.name in values) field.value = startOf(field);
  }
};

/** Start: everything is on the page. */
export const begin = () => {
  document.addEventListener("htmx:oobBeforeSwap", keepTyped);
  document.addEventListener("htmx:oobAfterSwap", bringTyped);
  part("desk").addEventListener("mark-stepped", () => (brought = null));
  part("desk").addEventListener("mark-stepped", () => isOpen() && (activeMark() ? open(activeMark()) : close()));
  part("desk").addEventListener("mark-leaves", onLeave);
  part("desk").addEventListener("mark-left", ({ detail: number }) => shutOf(number)); // it was on its way
  part("desk").addEventListener("given-up", onGivenUp);
  part("desk").addEventListener("taken-up", bringWaiting);
};
