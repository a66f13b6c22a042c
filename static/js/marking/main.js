// The marking screen: what keys, mouse and touch do. Each module holds one matter; this one only
// says who is called when.
import * as activity from "./activity.js";
import * as caret from "./caret.js";
import * as margin from "./margin.js";
import * as marks from "./marks.js";
import * as palette from "./palette.js";
import { fragmentsAt, offsetAt, shine } from "./places.js";

const part = (id) => document.getElementById(id);
const essay = () => part("essay");
const isOpen = () => part("cards").firstElementChild !== null;
const borders = () => import("./borders.js");
const search = () => import("./search.js");

let moving = null; // the module of borders, while they move
let linking = null; // the number of the mark another one is to be linked with
let forWholeText = false; // the next code is a mistake of the whole text

const toText = () => {
  essay().focus({ preventScroll: true });
  caret.restore();
};

// ── marking ─────────────────────────────────────────────────────────────────

const markSelected = async (code, { edit = false } = {}) => {
  const place = caret.selectedPlace();
  caret.put(place.end);
  toText();
  await marks.mark(place, code);
  if (edit) marks.focusCard();
};

const markWholeText = async (code) => {
  wholeText(false);
  await marks.mark(null, code);
  marks.focusCard();
};

const wholeText = (on) => {
  forWholeText = on;
  part("whole-add")?.setAttribute("aria-pressed", String(on));
};

const onChoose = (code, how) => {
  if (forWholeText || palette.isForWholeText(code.code)) markWholeText(code);
  else if (caret.selectedPlace()) markSelected(code, how);
  else {
    const same = palette.stickyCode()?.code === code.code && palette.stickyCode()?.subcode === code.subcode;
    palette.stick(same ? null : code);
    toText();
  }
};

const openHere = (focus) => {
  const at = caret.at();
  const stack = [...fragmentsAt(at), ...fragmentsAt(Math.max(0, at - 1))];
  const chosen = stack.includes(Number(marks.activeMark())) ? marks.activeMark() : stack.at(-1);
  const number = chosen ?? marks.activeMark();
  if (number) marks.open(number, { at: chosen ? at : null, focus });
};

const leave = () => {
  if (linking !== null) link(null);
  else if (isOpen()) marks.close();
  else if (palette.stickyCode()) palette.stick(null);
  else {
    marks.activate(null);
    caret.put(caret.at());
  }
  wholeText(false);
  shine("pending", []);
};

// ── linking and borders ─────────────────────────────────────────────────────

const link = (number) => {
  linking = number;
  part("desk").classList.toggle("linking", number !== null);
  part("linking").hidden = number === null;
};

const chosenToLink = async (number) => {
  const first = linking;
  link(null);
  if (String(number) !== first) await marks.link(first, number);
};

const moveBorders = async () => {
  moving = await borders();
  if (!moving.begin()) moving = null;
};

// ── keys ────────────────────────────────────────────────────────────────────

const commandsOn = () => localStorage.getItem("razbor-letters") !== "off";

/** One-letter commands by physical key, so that ЙЦУКЕН and QWERTY are one. */
const COMMANDS = {
  KeyJ: () => marks.step(1),
  KeyK: () => marks.step(-1),
  KeyE: () => openHere(true),
  KeyB: moveBorders,
  KeyL: () => marks.activeMark() && link(marks.activeMark()),
  KeyF: () => search().then((found) => found.begin()),
  KeyG: () => part("guide-open")?.click(),
  KeyZ: () => document.body.classList.toggle("focused"),
  BracketLeft: () => marks.cycle(-1),
  BracketRight: () => marks.cycle(1),
};

const repeat = () => {
  const code = palette.lastUsed();
  if (code && caret.selected()) markSelected(code);
};

const isLetter = (event) =>
  /^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;

const onTextKey = (event) => {
  if (caret.move(event)) return event.preventDefault();
  if (event.code === "Period" && !event.ctrlKey) return repeat();
  if (event.key === "Enter" && caret.selected() && palette.stickyCode()) return markSelected(palette.stickyCode());
  if (event.key === "Enter") return openHere(true);
  if (event.key.toLowerCase() === "a" && event.ctrlKey) {
    caret.selectAll();
    return event.preventDefault();
  }
  // the letter goes into the search by itself: the key is not spent yet
  if (caret.selected() && isLetter(event)) palette.focusSearch();
  return undefined;
};

const onCommand = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") part("keys").showModal();
  else if (event.code === "Slash") {
    event.preventDefault();
    palette.focusSearch();
  } else if (event.key === "Delete" && marks.activeMark()) marks.drop(marks.activeMark());
  else if (commandsOn() && COMMANDS[event.code]) {
    event.preventDefault();
    COMMANDS[event.code]();
  }
};

const onCardKey = (event) => {
  const form = event.target.closest("form[data-number]");
  if (event.key === "Enter" && event.ctrlKey && form) form.requestSubmit();
};

const onListKey = (event) => {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!direction) return;
  event.preventDefault();
  marks.step(direction);
};

const isField = (element) => element.matches("input, select, textarea");

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (moving?.isMoving()) return moving.onKey(event);
  if (event.key === "Escape") {
    const inText = event.target === essay();
    if (inText || !event.target.closest("#palette")) leave();
    if (!inText) toText();
    return palette.clear();
  }
  if ((event.ctrlKey || event.metaKey) && event.code === "KeyZ" && !isField(event.target)) return marks.restore();
  if (event.target.closest("#cards")) onCardKey(event);
  if (isField(event.target)) return;
  if (event.target.closest("#marks")) onListKey(event);
  const isTyping = event.target === essay() && caret.selected() && isLetter(event) && event.code !== "Period";
  if (event.target === essay()) onTextKey(event);
  if (!isTyping) onCommand(event);
});

// ── mouse and touch ─────────────────────────────────────────────────────────

let clicked = null; // the offset clicked last: clicking again goes outwards

const onTextClick = (event) => {
  if (caret.selected()) return;
  const at = offsetAt(event.clientX, event.clientY);
  const stack = at === null ? [] : fragmentsAt(at);
  if (!stack.length) return isOpen() ? marks.close() : undefined;
  const again = clicked !== null && stack.includes(Number(marks.activeMark())) && Math.abs(clicked - at) < 3;
  const place = again ? (stack.indexOf(Number(marks.activeMark())) - 1 + stack.length) % stack.length : stack.length - 1;
  clicked = at;
  if (linking !== null) return chosenToLink(stack[place]);
  marks.open(stack[place], { at });
};

document.addEventListener("selectionchange", () => {
  if (!caret.follow()) return;
  part("desk").classList.toggle("selecting", caret.selected() !== null);
});

document.addEventListener("pointerup", (event) => {
  if (!event.target.closest?.("#essay")) return;
  caret.byPointer(event.altKey);
  if (palette.stickyCode() && caret.selectedPlace()) markSelected(palette.stickyCode());
});

const BUTTONS = {
  open: (value) => (linking === null ? marks.open(value, { focus: true }) : chosenToLink(value)),
  jump: (value) => marks.activate(value, { scroll: true }),
  drop: (value) => marks.drop(value),
  link: (value) => link(value),
  borders: () => moveBorders(),
  close: () => {
    marks.close();
    toText();
  },
  cycle: (value) => marks.cycle(Number(value)),
  restore: () => marks.restore(),
  unstick: () => palette.stick(null),
  whole: () => wholeText(!forWholeText),
  keys: () => part("keys").showModal(),
  find: () => search().then((found) => found.begin()),
  focus: () => document.body.classList.toggle("focused"),
  zoom: (value) => zoom(Number(value)),
  fill: (value, button) => {
    const field = part(button.dataset.into);
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) BUTTONS[button.dataset.do](button.dataset.value ?? "", button);
  else if (event.target.closest("#essay")) onTextClick(event);
});

const light = (event) => {
  const at = event.target.closest?.("#essay") ? offsetAt(event.clientX, event.clientY) : null;
  const own = event.target.closest?.("#marks > [data-mark]")?.dataset.mark;
  marks.light(own ?? (at === null ? null : fragmentsAt(at).at(-1)));
};
document.addEventListener("pointermove", light, { passive: true });

// ── cards ───────────────────────────────────────────────────────────────────

const formOf = (target) => target.closest("#cards form[data-number]");

document.addEventListener("change", (event) => {
  const form = formOf(event.target);
  if (form) marks.save(form, { quiet: !event.target.matches("[name=code], [name=subcode]") });
});

document.addEventListener("submit", async (event) => {
  const form = formOf(event.target);
  if (!form) return;
  event.preventDefault();
  await marks.save(form);
  if (!part("cards").querySelector("[aria-invalid=true]")) toText();
});

// ── zoom, start ─────────────────────────────────────────────────────────────

const SIZES = [100, 112, 125, 150, 175];

const zoom = (by) => {
  const root = document.documentElement;
  const now = SIZES.indexOf(Number(root.dataset.zoom ?? 100));
  const next = SIZES[Math.min(Math.max(now + by, 0), SIZES.length - 1)];
  root.dataset.zoom = next;
  localStorage.setItem("razbor-zoom", next);
  margin.layout();
};

palette.start(onChoose);
marks.begin();
margin.keepLaidOut();
activity.start();
