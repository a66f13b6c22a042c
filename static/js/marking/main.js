// The marking screen: what keys, mouse and touch do on any markup. Each module holds one matter; this one only says who is
// called when. What changes a draft is in editing.js, and is loaded only where the markup may be changed.
import * as active from "./active.js";
import * as cards from "./cards.js";
import * as caret from "./caret.js";
import { explain, tellHeld } from "./changes.js";
import * as margin from "./margin.js";
import { fragmentsAt, read, signAt } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const essay = () => part("essay");
const isOpen = () => part("cards").firstElementChild !== null;
let search = null; // the module of finding words, once it came
const editing = "editable" in part("desk").dataset ? await import("./editing.js") : null;
const settling = part("settling") ? await import("./settling.js") : null; // of a third expert

// ── keys ────────────────────────────────────────────────────────────────────

const LONG = 300; // milliseconds somebody waits before that is said

let early = null; // keys, while what they are for is on its way

/** Keys are for what ``comes(isWanted)``, true once it is there: until then they are held, and pressed then. Where it does
 * not come, or nobody waits for it any more, they are none. */
const hold = async (comes) => {
  const own = (early = []);
  const isWanted = () => early === own;
  setTimeout(() => isWanted() && tellHeld(early), LONG);
  const isThere = await comes(isWanted);
  const ahead = isThere && own.length > 0 && (await sending.warm("ahead"));
  if (!isWanted()) return;
  letGo();
  if (ahead) ahead.press(own);
};

const letGo = () => {
  if (!early) return;
  early = null;
  tellHeld(early);
};

/** Keys that are the browser's own. */
const isForeign = ({ key, code, ctrlKey, metaKey }) =>
  /^F\d/.test(key) || ((ctrlKey || metaKey) && !/^(Enter|Arrow|KeyZ|KeyY)/.test(code));

/** A key while something is on its way: true when it is held, or lets that go. */
const onEarlyKey = (event) => {
  if (!early || event.defaultPrevented || isForeign(event)) return false;
  event.preventDefault();
  if (event.key === "Escape") {
    letGo();
    cards.giveUp();
  } else {
    early.push(event);
    if (part("held").firstChild) tellHeld(early);
  }
  return true;
};

/** Go into the card of a mark, unless a link waits for one; where it is only read, keys are about the text still. */
const openCard = (number, at = null) => {
  const come = () => cards.open(number, { at, focus: true });
  if (!editing) come();
  else if (!editing.takesMark(number)) hold(come);
};

/** Where nothing is painted yet a mark that was made just now is none before its answer: keys wait until then. */
const openMade = async () => {
  await sending.settled();
  const number = active.meant() ?? active.deepest();
  return number ? cards.open(number, { focus: true }) : explain(part("toast").dataset.noMark);
};

const openHere = () => {
  const at = caret.at();
  const number = active.meant() ?? active.deepest(); // also one that was made just now
  if (number) openCard(number, fragmentsAt(at).includes(Number(number)) ? at : null);
  else if (sending.unanswered().length) hold(openMade);
  else explain(part("toast").dataset.noMark);
};

const leave = () => {
  if (editing?.leave() || settling?.leave()) return;
  if (!part("search").hidden) shutSearch();
  else if (isOpen()) cards.close();
  else {
    active.leave();
    caret.put(caret.at());
  }
};

const show = (name) => {
  part(name).showModal();
  part(name).querySelector("[hx-trigger=show]")?.dispatchEvent(new Event("show"));
};

/** Open the search at once: what is typed next belongs into it, wherever its script is. */
const find = async () => {
  part("search").hidden = false;
  part("search-words").focus();
  part("search-words").select();
  await look();
};

const look = async () => {
  search = await sending.bring("search");
  if (!part("search").hidden) search?.begin();
};

const shutSearch = () => {
  part("search").hidden = true;
  search?.clear();
  caret.enter();
};

/** A key in the box while its script has not come; later the box minds them itself. */
const onSearchKey = (event) => {
  if (search || !event.target.closest("#search")) return false;
  if (event.key === "Enter") look();
  else if (event.key === "Escape") shutSearch();
  else return false;
  event.preventDefault();
  return true;
};

/** One-letter commands by physical key, so that ЙЦУКЕН and QWERTY are one; those of the number pad by what they say. */
const COMMANDS = {
  KeyJ: () => active.step(1),
  KeyK: () => active.step(-1),
  KeyE: openHere,
  KeyF: find,
  KeyG: () => show("guide"),
  KeyN: () => part("next-essay")?.requestSubmit(), // where a check is read; a draft has no such form
  KeyZ: () => document.body.classList.toggle("focused"),
  BracketLeft: () => active.cycle(-1),
  BracketRight: () => active.cycle(1),
  ...editing?.COMMANDS,
  ...settling?.COMMANDS,
  "?": () => show("keys"),
};

const lettersOn = () => localStorage.getItem("razbor-letters") !== "off";

const SIGNS = { "/": "Slash", ".": "Period", "?": "?" }; // keys that say these elsewhere on another layout

const onCommand = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = /^[0-9]$/.test(event.key) && `Digit${event.key}`;
  const name = SIGNS[event.key] ?? (digit || event.code);
  const command = (event.key === "?" || lettersOn()) && (COMMANDS[name] ?? COMMANDS[event.key]);
  if (!command) return;
  event.preventDefault();
  command();
};

/** A key in the text; true when it was spent. */
const onTextKey = (event) => {
  if (caret.move(event)) {
    event.preventDefault();
    active.follow();
  } else if (event.code === "KeyA" && event.ctrlKey) {
    event.preventDefault();
    caret.selectAll();
    active.follow();
  } else if (editing?.onTextKey(event)) return true;
  else if (event.key === "Enter" && !event.ctrlKey) openHere();
  else {
    if (event.key === "Tab") active.rove();
    return false;
  }
  return true;
};

const onListKey = (event) => {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!direction) return false;
  event.preventDefault();
  active.step(direction);
  return true;
};

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || onSearchKey(event) || onEarlyKey(event) || editing?.onKey(event)) return;
  if (event.key === "Escape") {
    leave();
    caret.enter();
    event.preventDefault();
    return;
  }
  if (event.target.matches("input, select, textarea")) return;
  if (event.target === essay() && onTextKey(event)) return;
  if (event.target.closest("#marks") && onListKey(event)) return;
  if (!event.target.closest("#cards, #submission") || event.key === "?") onCommand(event); // somebody may be typing words
});

// ── mouse and touch ─────────────────────────────────────────────────────────

let [clicked, before] = [-1, null]; // the offset clicked last, again it goes outwards; what was selected when a press began

/** Has the press itself selected something? One within what was selected before lets that go. */
const hasSelected = ({ shiftKey }) => {
  caret.follow();
  const now = caret.selected();
  return now !== null && (shiftKey || now.start !== before?.start || now.end !== before?.end);
};

const onTextClick = (event) => {
  const at = signAt(event.clientX, event.clientY);
  const isTouch = event.pointerType === "touch";
  if (isTouch && editing?.onTap(at, settling?.onTap)) return;
  if (hasSelected(event)) return;
  if (caret.selected()) caret.drop(at);
  const stack = at === null ? [] : fragmentsAt(at);
  if (!stack.length) {
    if (isOpen()) cards.close();
    active.leave();
    if (!isTouch) settling?.onPress(at);
    return;
  }
  const here = stack.indexOf(Number(active.activeMark()));
  const isAgain = here >= 0 && Math.abs(clicked - at) < 3;
  clicked = at;
  const chosen = isAgain ? stack[(here - 1 + stack.length) % stack.length] : stack.at(-1);
  if (!editing?.takesMark(chosen)) cards.open(chosen, { at });
};

document.addEventListener("pointerdown", letGo);
addEventListener("beforeunload", (event) => early?.length && event.preventDefault()); // they are in no field yet

let isPressed = false; // the mouse selects: codes do not come up under it

document.addEventListener("selectionchange", () => {
  if (!caret.follow()) return;
  if (document.activeElement === essay()) active.follow();
  if (!isPressed) caret.show();
});

/** While the mouse selects, what lies beside the text and over it lets it through: it reaches to the end of the line it is at. */
const letThrough = (isOn) => requestAnimationFrame(() => document.documentElement.classList.toggle("pressed", isOn));

const release = () => {
  if (isPressed) caret.show();
  isPressed = false;
  letThrough(false);
};

document.addEventListener("mousemove", ({ buttons }) => {
  if (isPressed && buttons === 1) letThrough(true);
  else if (isPressed) release(); // it was let go outside the window
});
for (const name of ["mouseup", "dragstart"]) document.addEventListener(name, release); // what was selected is dragged away

/** A button about what waits. */
const minded = async (name) => {
  (await sending.bring("waiting"))?.[name]();
  if (document.activeElement === document.body) caret.enter();
};

const BUTTONS = {
  open: (number) => openCard(number),
  close: () => {
    cards.close();
    caret.enter();
  },
  key: (name) => COMMANDS[name](),
  show,
  zoom: async (by) => (await sending.bring("around"))?.zoom(Number(by)),
  giveup: () => minded("giveUp"), // of a check that is closed, too
  bringback: () => minded("bringBack"),
  takeaway: () => minded("takeAway"),
  ...editing?.BUTTONS,
  ...settling?.BUTTONS,
};

/** What goes by what it does: with the answer, with its panel, once somebody is in; a key is pressed in the text. */
const LEAVING = ".hints [data-do=key], [data-do=again], [data-do=signin], [data-do=unstick], [data-do=unlink], .for-whole [data-do=whole], .submission [data-do=sheet], #cards :is([data-do=link], [data-do=borders])";

/** Press a button; where it goes with what it did, the text has the focus. */
const press = (button) => {
  if (button.matches(LEAVING)) caret.enter();
  BUTTONS[button.dataset.do](button.dataset.value ?? "", button);
  if (!button.isConnected && document.activeElement === document.body) caret.enter();
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) press(button);
  else if (event.target.closest("#essay")) onTextClick(event);
  else if (!search && event.target.closest("[data-close-search]")) shutSearch();
  else if (document.activeElement === document.body) (hasSelected(event) ? caret.enter : caret.drop)();
});

document.addEventListener(
  "pointermove",
  (event) => {
    const own = event.target.closest?.("#marks > [data-mark]")?.dataset.mark;
    const at = event.target.closest?.("#essay") ? signAt(event.clientX, event.clientY) : null;
    active.light(own ?? (at === null ? null : (fragmentsAt(at).at(-1) ?? null)));
  },
  { passive: true },
);

// a press begins anew, in the text or beside its lines: what was selected before one wrote elsewhere is not selected again under it
document.addEventListener("mousedown", ({ button, shiftKey, target }) => {
  const isInText = target === part("sheet") || essay().contains(target);
  if (isInText) caret.settle();
  isPressed = isInText && button === 0;
  if (isPressed && document.activeElement !== essay() && !shiftKey) caret.letGo();
  before = caret.selected();
});
essay().addEventListener("focus", caret.restore);
essay().addEventListener("blur", caret.redraw);
part("desk").addEventListener("laid-out", caret.redraw);
part("letters").checked = lettersOn();
part("letters").addEventListener("change", (event) => {
  localStorage.setItem("razbor-letters", event.target.checked ? "on" : "off");
});

const tellBounds = async () => (await sending.bring("bounds"))?.tell();

if (localStorage.getItem("razbor-bounds") === "on") part("bounds").checked = true;
part("bounds").addEventListener("change", tellBounds);
if (part("bounds").checked) tellBounds();

/** A change was made, and its answer is not here yet. */
const showWaiting = () => {
  cards.follow();
  if (editing?.paint()) {
    read(essay());
    active.redraw();
    caret.selectSoon();
    margin.layout();
  }
  settling?.redraw();
};

let waits = []; // why some wait, and which: as told last, whenever the script comes that says it

const sayWaiting = async (...told) => {
  waits = told;
  if (told[0] || part("waiting")?.firstChild) (await sending.bring("waiting"))?.say(...waits);
};

/** After every answer: what it brought is on the page. */
const renew = (change, status) => {
  read(essay());
  editing?.note(status === 200 ? change : null);
  if (editing?.paint()) read(essay());
  active.redraw();
  cards.settle(change, status);
  if (active.openedMark() > 0 && !active.itemOf(active.openedMark()) && !cards.hasUnsaved()) cards.close(); // undone already
  caret.keep();
  margin.layout();
  part("desk").dispatchEvent(new CustomEvent("marks-renewed"));
};

/** What the reader has opened stays open in the part that takes its place. */
const keepOpen = ({ detail }) => {
  for (const { id } of detail.target.querySelectorAll("details[id][open]")) {
    detail.fragment.querySelector(`#${id}`)?.setAttribute("open", "");
  }
};

/** Once the page is loaded and the browser is at rest. */
const onLoaded = (run) => {
  const soon = () => (window.requestIdleCallback ?? setTimeout)(run);
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
};

const furnish = async () => {
  const found = await sending.warm("around");
  if (found) margin.furnish(found);
  else setTimeout(furnish, 3000); // milliseconds: a cut network brings it later
};

document.addEventListener("htmx:oobBeforeSwap", keepOpen);
read(essay());
active.redraw();
cards.begin();
sending.begin(renew, showWaiting, sayWaiting);
margin.begin();
editing?.begin(hold);
settling?.begin();
onLoaded(() => {
  editing?.beReady();
  sending.warm("search"); // words are found in a cut, too
  furnish();
});
if (editing && document.activeElement === document.body) caret.enter(); // keys work at once
part("desk").dataset.ready = "";
document.dispatchEvent(new Event("desk-ready"));

/** A link from elsewhere leads to a mark: its words come into view, its card opens. */
const [, wanted] = location.hash.match(/^#mark-(\d+)$/) ?? [];
if (wanted && active.itemOf(wanted)) cards.open(wanted);
