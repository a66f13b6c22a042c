// What changes a draft: marking what is selected, cards, links, borders, deleting; and the time at work.
import * as active from "./active.js";
import * as cards from "./cards.js";
import * as caret from "./caret.js";
import * as changes from "./changes.js";
import * as palette from "./palette.js";
import { shine } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);

let borders = null; // the module of borders, while they move
let early = null; // keys pressed while their module is on its way
let linking = null; // the number of the mark another one is to be linked with
let forWholeText = false; // the next code is a mistake of the whole text

// ── marking ─────────────────────────────────────────────────────────────────

const markSelected = async (code, { edit = false } = {}) => {
  const place = caret.selectedPlace();
  caret.put(place.end);
  caret.enter();
  palette.remember(code);
  await changes.mark(place, code);
  if (edit) cards.focusCard();
};

const wholeText = (on) => {
  forWholeText = on;
  part("whole-add")?.setAttribute("aria-pressed", String(on));
  part("desk").classList.toggle("for-whole", on);
  palette.offer(on);
  if (!on) return;
  cards.close();
  part("palette").scrollTop = 0;
  palette.focusSearch();
};

const markWholeText = async (code) => {
  wholeText(false);
  palette.remember(code);
  await changes.mark(null, code);
  cards.focusCard();
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
  if (String(number) !== String(first)) changes.link(first, number);
  return true;
};

const moveBorders = async () => {
  early = [];
  const found = await sending.bring("borders");
  const keys = early;
  early = null;
  if (!found) return;
  if (found.begin()) borders = found;
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
  KeyL: () => active.activeMark() && link(active.activeMark()),
  Slash: () => palette.focusSearch(),
  KeyS: () => sending.again(),
  Delete: () => active.activeMark() && changes.drop(active.activeMark()),
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
  const { name, value } = event.target;
  const stated = event.target.closest("#stated");
  if (stated) changes.send(stated.dataset.address, { [name]: value }, `${name}: ${value || "–"}`);
  const form = event.target.closest("#cards form");
  if (form) cards.save(form, { quiet: !event.target.matches("[name=code], [name=subcode]") });
};

const onCardDone = async (event) => {
  const form = event.target.closest("#cards form");
  if (!form) return;
  event.preventDefault();
  await cards.save(form);
  if (!part("cards").querySelector("[aria-invalid=true], [role=alert]")) caret.enter();
};

export const BUTTONS = {
  drop: (number) => {
    changes.drop(number);
    caret.enter();
  },
  link,
  borders: moveBorders,
  restore: () => changes.restore(),
  again: () => sending.again(),
  giveup: () => changes.giveUp(),
  forget: (_value, button) => cards.forget(button.closest("form").dataset.number),
  unstick: () => palette.stick(null),
  whole: () => wholeText(!forWholeText),
  fill: (words, button) => {
    const field = part(button.dataset.into);
    field.value = words;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  },
};

// ── own points: what was refused, or is not sent yet, stays in its field when the panel comes anew ──

const stated = () => part("stated");
const isRefused = (field) => field.getAttribute("aria-invalid") === "true";
const whyOf = (field) => part(field.getAttribute("aria-describedby"));

/** The fields whose points were refused. */
const refusedPoints = () => [...(stated()?.elements ?? [])].filter(isRefused);

/** Why they were refused, in sentences that name the criterion. */
const reasons = () => refusedPoints().map((field) => whyOf(field).textContent);

const isOurs = (field, answered) =>
  field.name in answered ? field.value !== answered[field.name] : isRefused(field) || field.value !== field.defaultValue;

const carry = (field, answered, fragment) => {
  const fresh = fragment.querySelector(`#${field.id}`);
  fresh.value = field.value;
  if (field.name in answered || !isRefused(field)) return;
  fresh.setAttribute("aria-invalid", "true");
  fresh.setAttribute("aria-describedby", whyOf(field).id);
  fragment.querySelector("#stated").append(whyOf(field).cloneNode(true));
};

let comes = null; // the reason that comes with this answer

const keepPoints = ({ detail: { target, fragment } }) => {
  if (target.id !== "points" || !stated()) return;
  const answered = sending.inAnswer(stated().dataset.address);
  comes = fragment.querySelector("#stated .help")?.id ?? null;
  for (const field of stated().elements) if (isOurs(field, answered)) carry(field, answered, fragment);
};

/** Changes were given up: the fields show what is stored. */
const showStored = ({ detail: given }) => {
  for (const { path, values } of given) {
    if (path !== stated()?.dataset.address) continue;
    for (const field of stated().elements) if (field.name in values) field.value = field.defaultValue;
  }
};

const showRefusal = () => {
  if (comes) part(comes)?.scrollIntoView({ block: "nearest" });
  comes = null;
};

// ── leaving the page ────────────────────────────────────────────────────────

let typing = null; // the field whose words no change has taken along yet

const isTyping = () => Boolean(typing?.isConnected) && typing.value !== typing.defaultValue;

/** Loading the page anew gives no field up: the browser asks before words are lost. */
const askBefore = (event) => {
  if (sending.mayBeLost() || cards.hasUnsaved() || isTyping() || refusedPoints().length) event.preventDefault();
};

const guardWords = () => {
  document.addEventListener("input", ({ target }) => {
    if (target.matches("#stated input, [data-reason]")) typing = target;
  });
  document.addEventListener("change", () => (typing = null));
  addEventListener("beforeunload", askBefore);
};

// ── time at work ────────────────────────────────────────────────────────────

// Seconds with the page in view and somebody at it. After a minute and a half without a key, a move
// or a scroll nothing is counted.
const PAUSE = 90_000; // milliseconds
const REPORT = 30; // seconds

let seconds = 0; // not reported yet
let lastSeen = Date.now();

const total = () => Number(part("time").dataset.seconds);

const showTime = () => {
  const [minutes, rest] = [Math.floor(total() / 60), total() % 60];
  part("time").textContent = `${minutes}:${String(rest).padStart(2, "0")}`;
};

const report = () => {
  if (!seconds) return;
  const body = new FormData();
  body.set("seconds", seconds);
  body.set("csrfmiddlewaretoken", sending.token());
  seconds = 0;
  fetch(part("desk").dataset.activity, { method: "POST", body, keepalive: true }).catch(() => {});
};

const tick = () => {
  if (document.hidden || Date.now() - lastSeen > PAUSE) return;
  seconds += 1;
  part("time").dataset.seconds = total() + 1;
  showTime();
  if (seconds >= REPORT) report();
};

const countTime = () => {
  for (const name of ["keydown", "pointermove", "pointerdown", "scroll"]) {
    document.addEventListener(name, () => (lastSeen = Date.now()), { passive: true });
  }
  document.addEventListener("visibilitychange", () => document.hidden && report());
  addEventListener("pagehide", report);
  setInterval(tick, 1000);
  showTime();
};

const notSubmitted = (why) => part("notice").replaceChildren(part(why).content.cloneNode(true));

/** A submission was refused: go to the first problem that keeps the check back. */
const goToProblem = () => {
  if (location.hash !== "#checklist") return;
  history.replaceState(null, "", location.pathname); // loading the page anew leads there no more
  const problem = part("checklist").querySelector(".blocks");
  const target = problem?.querySelector("button") ?? problem;
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "center" });
};

/** Start: everything is on the page. */
export const begin = () => {
  palette.start(onChoose);
  countTime();
  guardWords();
  document.addEventListener("htmx:oobBeforeSwap", keepPoints);
  document.addEventListener("htmx:oobAfterSwap", showRefusal);
  part("desk").addEventListener("given-up", showStored);
  part("desk").addEventListener("marks-renewed", palette.count);
  document.addEventListener("change", onFieldChange);
  document.addEventListener("submit", onCardDone);
  document.addEventListener("pointerup", (event) => {
    if (!event.target.closest?.("#essay")) return;
    caret.byPointer(event.altKey);
    if (palette.stickyCode() && caret.selectedPlace()) markSelected(palette.stickyCode());
  });
  // while a code is looked for, the browser shows no selection in the text: we do
  goToProblem();
  part("find").addEventListener("focus", () => shine("pending", [caret.selectedPlace()].filter(Boolean)));
  part("find").addEventListener("blur", () => shine("pending", []));
  for (const name of ["pointerenter", "focusin"]) {
    part("sheet").addEventListener(name, () => sending.warm("borders"), { once: true });
  }
  part("submit").addEventListener("submit", async (event) => {
    event.preventDefault(); // the last words are still on their way
    await sending.settled();
    if (refusedPoints().length) {
      notSubmitted("refused-points");
      part("notice").querySelector("[data-reasons]").textContent = reasons().join(" ");
      refusedPoints()[0].focus();
      return;
    }
    if (!sending.isSaved() || cards.hasUnsaved()) {
      notSubmitted("unsaved");
      cards.openRefused();
      return;
    }
    const { csrfmiddlewaretoken, version } = part("submit").elements;
    csrfmiddlewaretoken.value = sending.token() || csrfmiddlewaretoken.value;
    version.value = part("saved").dataset.version;
    part("submit").submit();
  });
};
