// What changes a draft: marking what is selected, cards, links, borders, deleting.
import * as active from "./active.js";
import * as cards from "./cards.js";
import * as caret from "./caret.js";
import * as changes from "./changes.js";
import * as palette from "./palette.js";
import { shine, signAt } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);

let painting = null; // the module that shows changes at once
let [presence, patience] = [null, null]; // that of the time at work, that of how long an answer is waited for
let borders = null; // the module of borders, while they move
const TOLD = 4_000; // milliseconds a refusal stays in sight
let hold = (comes) => comes(() => true);
let linking = null; // the number of the mark another one is to be linked with
let submission = null; // the module of the sheet before a submission, once it came
let codeField = null; // that of the code field, once somebody came into it
const touch = navigator.maxTouchPoints ? await import("./touch.js") : null;
let written = null; // the field somebody has typed into: Ctrl+Z is its own there, until it is left

/** Show what waits as if it were made; true when something was painted. A script that did not come is asked for again. */
export const paint = () => {
  if (!painting && sending.comingChanges().length) beReady();
  const isPainted = painting?.paint(sending.comingChanges()) ?? false;
  if (isPainted) palette.count();
  return isPainted;
};

let early = null; // the change that was answered before the script came that learns of it

/** An answer has come, to this change or to none: of what can be undone more is known. */
export const note = (change) => (painting ? painting.note(change) : (early = change ?? early));

/** Have at hand, as soon as the page stands, what no key may wait for: a network that goes later takes none of it. */
export const beReady = async () => {
  for (const name of ["ahead", "borders", "offered", "same", "stand-in", "typing", "waiting"]) sending.warm(name);
  presence ??= await sending.warm("presence");
  presence?.begin();
  (await sending.warm("own-points"))?.begin();
  patience ??= await sending.warm("patience");
  patience?.begin();
  const isFirst = !painting;
  painting ??= await sending.warm("painting");
  if (isFirst) for (const change of [null, early]) painting?.note(change);
  changes.nameMarksBy(painting?.nameOf, painting?.numberGiven);
  if (isFirst && painting) sending.goBy(painting);
};

// ── marking ─────────────────────────────────────────────────────────────────

/** Make a mark. The card that is open gives way to its own, or goes where that does not come yet. */
const make = async (place, code, words = {}) => {
  const before = active.openedMark();
  if (linking !== null) link(null); // one has gone on without the other mark
  palette.remember(code);
  await changes.mark(place, { ...code, ...words });
  const isStill = before !== null && before === active.openedMark();
  if (isStill && before !== active.activeMark()) cards.giveWay(); // unless one has gone to it again
  return isStill;
};

/** The same, and go into its card; who is to edit it gets one all the same. */
const makeAndEdit = (place, code) =>
  hold(async (isWanted) => {
    const isStill = await make(place, code);
    if (!isWanted()) return false;
    if (active.openedMark() && !isStill) return cards.focusCard();
    const isFree = !active.openedMark() && !caret.selected();
    return isFree && (await sending.warm("stand-in"))?.openNew();
  });

/** Say why nothing came of a key: ``why`` names the sentence. */
const explain = (why) => changes.explain(part("toast").dataset[why]);

/** What keys do with the mark they are about; without one they say so, unless it was deleted just now. */
const withMark = (run) => () => {
  const number = active.meant();
  if (number && number !== active.activeMark()) active.activate(number);
  if (number) run(number);
  else if (!part("toast").querySelector("form")) explain("noMark");
};

const markSelected = (code, { edit = false, words = {} } = {}) => {
  const place = caret.selectedPlace();
  caret.enter(place.end);
  return edit ? makeAndEdit(place, code) : make(place, code, words);
};

/** Mark what is selected with the code used last. */
const repeat = () => {
  const code = palette.lastUsed();
  if (code && caret.selectedPlace()) markSelected(code);
  else explain(code ? "noWords" : "noCode");
};

/** Mark what is selected with an own comment: true where there is one behind this key. */
const markQuick = (key) => {
  const own = caret.selectedPlace() && palette.ownMark(key);
  if (own) markSelected(own.code, own);
  return Boolean(own);
};

/** Ask for the code of a mistake of the whole text, or ask no more: no mark is meant by it. */
const wholeText = (on) => {
  palette.askForWholeText(on);
  if (!on) return;
  cards.close();
  active.leave();
  active.say(part("for-whole").firstElementChild.textContent);
};

/** Somebody has turned to a mark, or to other words: the next code is about these. */
const onTurned = () => palette.asksForWholeText() && (active.activeMark() || caret.selected()) && wholeText(false);

const markWholeText = (code) => {
  wholeText(false);
  caret.enter();
  return makeAndEdit(null, code);
};

/** Put words into a field of the card; a list that does not know them learns them. */
const put = (form, name, words) => {
  const found = form.elements[name];
  if (!found) return;
  if (found.options && ![...found.options].some(({ value }) => value === words)) found.add(new Option(words, words));
  found.value = words;
};

/** Give a mark another code; its former subcode goes with the former code. */
const recode = (number, { code, subcode = "" }) => {
  const form = part("cards").querySelector("form");
  if (form?.dataset.number === String(number)) {
    put(form, "code", code); // what stands in the card is what goes to the server
    put(form, "subcode", subcode);
    part("desk").dispatchEvent(new CustomEvent("recoded"));
  }
  palette.remember({ code, subcode }, true);
  return changes.change(number, { code, subcode });
};

const lookCodesUp = async ({ target }) => {
  if (target.id !== "card-code" || codeField) return;
  codeField = (await sending.bring("code-field")) ?? null;
  codeField?.begin(recode);
};

const onChoose = (code, how) => {
  if (palette.asksForWholeText() || palette.isForWholeText(code.code)) markWholeText(code);
  else if (caret.selectedPlace()) markSelected(code, how);
  else if (caret.selected()) explain("noWords"); // blanks alone
  else if (active.openedMark() && !palette.stickyCode()) recode(active.openedMark(), code);
  else {
    palette.toggle(code);
    if (palette.stickyCode()) active.say(`${part("sticky").firstElementChild.textContent} ${part("sticky-code").textContent}`);
    caret.enter();
  }
};

// ── linking and borders ─────────────────────────────────────────────────────

/** J and K go past a mark that is being deleted, and past those that cannot be linked while one is chosen for that. */
const isPassed = ({ mark, code }) => changes.isLeaving(mark) || (linking !== null && palette.isTagless({ code }));

const link = (number) => {
  const isRefused = number !== null && palette.isTagless(active.itemOf(number)?.dataset ?? {});
  linking = isRefused ? null : number;
  part("desk").classList.toggle("linking", linking !== null);
  part("linking").hidden = number === null;
  const [asked, refused, stop, key] = part("linking").children;
  [asked.hidden, refused.hidden] = [isRefused, !isRefused];
  stop.hidden = key.hidden = isRefused;
  if (number !== null) active.say(isRefused ? refused.textContent : `${asked.textContent} ${key.innerText}`.trim());
  if (isRefused) setTimeout(() => linking === null && link(null), TOLD);
};

/** A mark was chosen: true when a link was waiting for it. */
export const takesMark = (number) => {
  if (linking === null) return false;
  const first = linking;
  link(null);
  if (String(number) !== String(first)) changes.link(first, number);
  return true;
};

const moveBorders = () =>
  hold(async (isWanted) => {
    const found = await sending.bring("borders");
    if (!found || !isWanted()) return false;
    if (!found.begin()) return explain("noBorders");
    borders = found;
    return true;
  });

const openSheet = () =>
  hold(async (isWanted) => {
    const found = await sending.bring("submission");
    if (found && found !== submission) found.begin();
    submission = found ?? submission;
    if (!found || !isWanted()) return false;
    found.open();
    return true;
  });

/** One step back: true when there was something to leave. */
export const leave = () => {
  if (palette.isSearching() && !palette.asksForWholeText()) {
    palette.clear(); // what is selected stays so
    return true;
  }
  if (submission?.isOpen() && linking === null) {
    submission.close();
    return true;
  }
  const wasBusy = linking !== null || palette.asksForWholeText() || palette.stickyCode() !== null;
  link(null);
  wholeText(false);
  palette.stick(null);
  return wasBusy;
};

// ── keys ────────────────────────────────────────────────────────────────────

export const COMMANDS = {
  KeyB: withMark(moveBorders),
  KeyH: openSheet,
  KeyL: withMark(link),
  Slash: () => palette.focusSearch(),
  KeyS: () => sending.again(),
  KeyT: async () => document.querySelector("#waiting [data-there]") && (await sending.bring("waiting"))?.giveUp(),
  Delete: withMark(changes.drop),
  Period: repeat,
};

/** A key anywhere; true when it was spent: borders move, or the card is saved one is in, or that stands beside the text. */
export const onKey = (event) => {
  if (borders?.isMoving()) {
    borders.onKey(event);
    return true;
  }
  const isStep = (event.code === "KeyZ" && (event.ctrlKey || event.metaKey)) || (event.code === "KeyY" && event.ctrlKey);
  if (isStep && event.target !== written) {
    event.preventDefault();
    if (event.shiftKey || event.code === "KeyY") changes.redo();
    else changes.undo();
    return true;
  }
  const form = event.target.closest("#cards form, #essay") && part("cards").querySelector("form");
  if (event.key !== "Enter" || !event.ctrlKey || !form) return false;
  event.preventDefault();
  form.requestSubmit();
  return true;
};

/** A tap on the text; true when it was spent: a sticky code marks once the last word was tapped. */
export const onTap = (at, elsewhere) => {
  if (!touch?.tap(at, palette.stickyCode() ? null : elsewhere)) return false;
  if (palette.stickyCode() && !touch.waits()) markSelected(palette.stickyCode());
  return true;
};

/** Is this a key of these alone? Letters are also those that are б, ж and э on the other layout. */
const isOf = (keys, { key, ctrlKey, metaKey, altKey }) => keys.test(key) && !ctrlKey && !metaKey && !altKey;

/** A key in the text; true when it was spent. */
export const onTextKey = (event) => {
  if (!caret.selected()) return false;
  if (event.code === "Period" || event.key === ".") {
    repeat();
    event.preventDefault();
  } else if (isOf(/^\d$/, event)) markQuick(event.key) || explain("noOwn");
  else if (event.key === "Enter" && palette.stickyCode() && caret.selectedPlace()) markSelected(palette.stickyCode());
  else if (isOf(/^[\p{L},;']$/u, event)) palette.focusSearch(); // the letter goes into the search by itself
  else return false;
  return true;
};

// ── cards, buttons, pointer ─────────────────────────────────────────────────

const onFieldChange = (event) => {
  const { name, value } = event.target;
  const stated = event.target.closest("#stated");
  if (stated) changes.send(stated.dataset.address, { [name]: value }, `${name}: ${value || "–"}`);
  const form = event.target.closest("#cards form");
  if (form) cards.save(form, { quiet: !event.target.matches("[name=code], [name=subcode]") });
};

/** Save the card and go back to the text: keys that follow are for it. */
const onCardDone = (event) => {
  const form = event.target.closest("#cards form");
  if (!form) return;
  event.preventDefault();
  const finish = cards.closing(form.dataset.number);
  hold(async (isWanted) => {
    await cards.save(form);
    if (part("cards").querySelector("[role=alert]")) return true;
    finish(!isWanted());
    if (isWanted() || document.activeElement === document.body) caret.enter();
    return true;
  });
};

export const BUTTONS = {
  quick: (key) => markQuick(key) || explain("noWords"),
  hint: async (name, button) => (await sending.bring("hints"))?.putAway(name, button),
  drop: (number) => {
    changes.drop(number);
    caret.enter();
  },
  link,
  unlink: () => link(null),
  borders: moveBorders,
  sheet: openSheet,
  back: () => submission.close(),
  own: (name) => submission.toField(name),
  restore: () => changes.restore(),
  refused: () => cards.openRefused() || openSheet(), // own points that are refused are named there
  again: () => sending.again(),
  signin: async () => (await sending.bring("signing"))?.ask(sending.again),
  undo: () => changes.undo(),
  redo: () => changes.redo(),
  forget: (_value, button) => cards.forget(button.closest("form").dataset.number),
  unstick: () => palette.stick(null),
  whole: () => wholeText(!palette.asksForWholeText()),
  fill: (words, button) => {
    const field = part(button.dataset.into);
    field.value = words;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  },
};

// ── leaving the page ────────────────────────────────────────────────────────

let typing = null; // the field whose words no change has taken along yet

const isTyping = () => Boolean(typing?.isConnected) && typing.value !== typing.defaultValue;

/** Loading the page anew gives no field up: the browser asks before words are lost. */
const askBefore = (event) => {
  if (sending.mayBeLost() || cards.hasUnsaved() || isTyping() || document.querySelector("#stated [aria-invalid=true]")) event.preventDefault();
};

/** Whoever leaves all the same finds the words when the check is opened again: the browser keeps them. */
const keepWords = () => {
  if (isTyping()) typing.dispatchEvent(new Event("change", { bubbles: true }));
  cards.keepWords();
};

const guardWords = () => {
  document.addEventListener("input", ({ target }) => {
    written = target;
    if (target.matches("#stated input, [data-reason]")) typing = target;
  });
  document.addEventListener("change", () => (typing = written = null));
  addEventListener("beforeunload", askBefore);
  addEventListener("pagehide", keepWords);
};

/** A submission was refused: go to the first problem that keeps the check back. */
const goToProblem = async () => {
  if (location.hash !== "#checklist") return;
  history.replaceState(null, "", location.pathname); // loading the page anew leads there no more
  await openSheet();
  document.activeElement.scrollIntoView({ block: "center" });
};

/** Start: everything is on the page; ``given`` holds keys until what they are for has come. */
export const begin = (given) => {
  hold = given;
  active.passOver(isPassed);
  palette.start(onChoose);
  touch?.listen();
  part("sheet").addEventListener("focusin", lookCodesUp);
  guardWords();
  changes.begin();
  part("desk").addEventListener("check-closed", async () => (await sending.bring("waiting"))?.shutCard());
  part("desk").addEventListener("marks-renewed", palette.count);
  part("desk").addEventListener("mark-activated", onTurned);
  document.addEventListener("change", onFieldChange);
  document.addEventListener("submit", onCardDone);
  let [isPressed, before, presses] = [false, "", 0]; // in the text; what was selected when that began; in a row
  document.addEventListener("mousedown", ({ detail }) => (presses = detail));
  const chosen = () => JSON.stringify(caret.selectedPlace());
  document.addEventListener("pointerdown", ({ target }) => ([isPressed, before] = [Boolean(target.closest?.("#essay")), chosen()]));
  document.addEventListener("pointerup", (event) => {
    if (!isPressed && !event.target.closest?.("#essay")) return;
    caret.byPointer(event.altKey);
    onTurned();
    const isDouble = presses === 2 && event.pointerType === "mouse"; // of touches browsers count the one before
    if (isPressed && isDouble) caret.takeWord(signAt(event.clientX, event.clientY));
    if (palette.stickyCode() && caret.selectedPlace() && chosen() !== before) markSelected(palette.stickyCode());
  });
  // while a code is looked for, the browser shows no selection in the text: we do
  goToProblem();
  part("find").addEventListener("focus", () => shine("pending", [caret.selectedPlace()].filter(Boolean)));
  part("find").addEventListener("blur", () => shine("pending", []));
  for (const name of ["pointerenter", "focusin"]) part("sheet").addEventListener(name, beReady, { once: true });
};
