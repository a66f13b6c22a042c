// What changes a draft: marking what is selected, cards, links, borders, deleting.
import * as activity from "./activity.js";
import * as caret from "./caret.js";
import * as marks from "./marks.js";
import * as palette from "./palette.js";
import { shine } from "./places.js";

const part = (id) => document.getElementById(id);

let borders = null; // the module of borders, while they move
let early = null; // keys pressed while that module was on its way
let linking = null; // the number of the mark another one is to be linked with
let forWholeText = false; // the next code is a mistake of the whole text

// ── marking ─────────────────────────────────────────────────────────────────

const markSelected = async (code, { edit = false } = {}) => {
  const place = caret.selectedPlace();
  caret.put(place.end);
  caret.enter();
  palette.remember(code);
  await marks.mark(place, code);
  if (edit) marks.focusCard();
};

const wholeText = (on) => {
  forWholeText = on;
  part("whole-add")?.setAttribute("aria-pressed", String(on));
  if (on) palette.focusSearch();
};

const markWholeText = async (code) => {
  wholeText(false);
  palette.remember(code);
  await marks.mark(null, code);
  marks.focusCard();
};

const onChoose = (code, how) => {
  if (forWholeText || palette.isForWholeText(code.code)) markWholeText(code);
  else if (caret.selectedPlace()) markSelected(code, how);
  else {
    palette.toggle(code);
    caret.enter();
  }
};

// ── linking and borders ─────────────────────────────────────────────────────

const link = (number) => {
  linking = number;
  part("desk").classList.toggle("linking", number !== null);
  part("linking").hidden = number === null;
};

/** A mark was chosen: true when a link was waiting for it. */
export const takesMark = (number) => {
  if (linking === null) return false;
  const first = linking;
  link(null);
  if (String(number) !== String(first)) marks.link(first, number);
  return true;
};

const moveBorders = async () => {
  early = [];
  const found = await import("./borders.js");
  if (found.begin()) borders = found;
  const keys = early;
  early = null;
  for (const each of keys) if (borders?.isMoving()) borders.onKey(each);
};

/** One step back: true when there was something to leave. */
export const leave = () => {
  const wasBusy = linking !== null || forWholeText || palette.stickyCode() !== null;
  link(null);
  wholeText(false);
  palette.stick(null);
  return wasBusy;
};

// ── keys ────────────────────────────────────────────────────────────────────

export const COMMANDS = {
  KeyB: moveBorders,
  KeyL: () => marks.activeMark() && link(marks.activeMark()),
  Slash: () => palette.focusSearch(),
  Delete: () => marks.activeMark() && marks.drop(marks.activeMark()),
};

/** A key anywhere; true when it was spent: borders move, or a card is saved. */
export const onKey = (event) => {
  if (early) {
    event.preventDefault();
    early.push(event);
    return true;
  }
  if (borders?.isMoving()) {
    borders.onKey(event);
    return true;
  }
  const form = event.target.closest("#cards form");
  if (event.key !== "Enter" || !event.ctrlKey || !form) return false;
  event.preventDefault();
  form.requestSubmit();
  return true;
};

/** A letter, or one of the keys that are б, ж and э on the other layout. */
const isLetter = (event) => /^[\p{L}\p{N},;']$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;

/** A key in the text; true when it was spent. */
export const onTextKey = (event) => {
  if (!caret.selected()) return false;
  if (event.code === "Period" || event.key === ".") {
    const code = palette.lastUsed();
    if (code) markSelected(code);
    event.preventDefault();
  } else if (event.key === "Enter" && palette.stickyCode()) markSelected(palette.stickyCode());
  else if (isLetter(event)) palette.focusSearch(); // the letter goes into the search by itself
  else return false;
  return true;
};

// ── cards, buttons, pointer ─────────────────────────────────────────────────

const onFieldChange = (event) => {
  const stated = event.target.closest("#stated");
  if (stated) marks.send(stated.dataset.address, Object.fromEntries(new FormData(stated)));
  const form = event.target.closest("#cards form");
  if (form) marks.save(form, { quiet: !event.target.matches("[name=code], [name=subcode]") });
};

const onCardDone = async (event) => {
  const form = event.target.closest("#cards form");
  if (!form) return;
  event.preventDefault();
  await marks.save(form, { done: true });
  if (!part("cards").querySelector("[aria-invalid=true], [role=alert]")) caret.enter();
};

export const BUTTONS = {
  drop: (number) => {
    marks.drop(number);
    caret.enter();
  },
  link,
  borders: moveBorders,
  restore: () => marks.restore(),
  unstick: () => palette.stick(null),
  whole: () => wholeText(!forWholeText),
  fill: (words, button) => {
    const field = part(button.dataset.into);
    field.value = words;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  },
};

/** Start: everything is on the page. */
export const begin = () => {
  palette.start(onChoose);
  activity.start();
  part("desk").addEventListener("marks-renewed", palette.count);
  document.addEventListener("change", onFieldChange);
  document.addEventListener("submit", onCardDone);
  document.addEventListener("pointerup", (event) => {
    if (!event.target.closest?.("#essay")) return;
    caret.byPointer(event.altKey);
    if (palette.stickyCode() && caret.selectedPlace()) markSelected(palette.stickyCode());
  });
  // while a code is looked for, the browser shows no selection in the text: we do
  part("find").addEventListener("focus", () => shine("pending", [caret.selectedPlace()].filter(Boolean)));
  part("find").addEventListener("blur", () => shine("pending", []));
  part("sheet").addEventListener("pointerenter", () => import("./borders.js"), { once: true });
  part("submit").addEventListener("submit", async (event) => {
    event.preventDefault(); // the last words are still on their way
    await marks.settled();
    if (!marks.isSaved()) {
      part("notice").replaceChildren(part("unsaved").content.cloneNode(true));
      return;
    }
    part("submit").elements.version.value = part("saved").dataset.version;
    part("submit").submit();
  });
};
