// Moving the borders of a mark, by keys and by handles. What is being moved is only shown, until
// it is decided: then one change goes to the server, and the mark keeps its number, code and tag.
import { activeMark, say } from "./active.js";
import { lift, move } from "./changes.js";
import { caretRect, extentOf, offsetAt, quote, rangeOf, shine, snap, stepSign, stepWord, text } from "./places.js";
import { bring, reveal } from "./sight.js";

const part = (id) => document.getElementById(id);
const handles = () => ({ start: part("handle-start"), end: part("handle-end") });

let moved = null; // the place shown while borders move: {number, start, end}
let dragged = null; // by what a handle is: "mouse", "touch", "pen"

const show = () => {
  shine("border", moved ? [moved] : []);
  drawHandles();
};

/** Say what moves borders. A finger that drags does so already, and covers enough. */
const sayHow = () => {
  const hint = part("moving");
  hint.hidden = moved === null || ![null, "mouse"].includes(dragged);
  hint.classList.toggle("dragged", dragged !== null);
  lift();
};

/** The border that keys move comes into sight, with the sign it stands at. */
const bringBorder = (side) => {
  const at = side === "end" ? moved.end - 1 : moved.start;
  bring([...rangeOf({ start: at, end: at + 1 }).getClientRects()]);
};

const shift = (side, to) => {
  const next = { ...moved, [side]: to };
  if (next.start < next.end) moved = next;
  show();
  say(quote(moved));
};

/** Begin to move the borders of the active mark, or ``hand`` drags one; true when it has some. */
export const begin = (hand = null) => {
  dragged = hand;
  const extent = activeMark() === null ? null : extentOf(activeMark());
  moved = extent && { number: activeMark(), ...extent };
  part("desk").classList.toggle("moving", moved !== null);
  sayHow();
  show();
  if (moved && !part("moving").hidden) say(part("moving").innerText);
  if (moved && !hand) {
    reveal(moved.number);
    bringBorder("end");
  }
  return moved !== null;
};

/** Are borders being moved? */
export const isMoving = () => moved !== null;

const end = () => {
  moved = null;
  part("desk").classList.remove("moving");
  sayHow();
  show();
};

/** Do the borders stand elsewhere than those of the mark? */
const isElsewhere = () => {
  const own = extentOf(moved.number);
  return own?.start !== moved.start || own?.end !== moved.end;
};

const finish = () => {
  const { number, ...place } = moved;
  const isMoved = isElsewhere();
  end();
  if (isMoved) move(number, place);
};

/** A key while borders move: arrows the end, with Shift the start; Enter done, Escape back. */
export const onKey = (event) => {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (direction) {
    const side = event.shiftKey ? "start" : "end";
    const step = event.ctrlKey || event.altKey ? stepWord : stepSign;
    shift(side, step(text(), moved[side], direction));
    bringBorder(side);
  } else if (event.key === "Enter") {
    finish();
  } else if (event.key === "Escape") {
    end();
  } else {
    return;
  }
  event.preventDefault();
};

const put = (handle, rect, atEnd, sheet) => {
  handle.hidden = !rect;
  if (!rect) return;
  handle.style.left = `${rect.left - sheet.left}px`;
  handle.style.top = `${(atEnd ? rect.bottom : rect.top) - sheet.top}px`;
};

/** Show the handles at the active mark's borders. */
const drawHandles = () => {
  const place = moved ?? (activeMark() === null ? null : extentOf(activeMark()));
  const [start, end] = place ? [caretRect(place.start), caretRect(place.end)] : [null, null];
  const sheet = place && part("sheet").getBoundingClientRect(); // it lays the page out: not where nothing is drawn
  if (start) {
    const line = Number.parseFloat(getComputedStyle(part("essay")).lineHeight);
    part("sheet").style.setProperty("--between", `${line - (start.bottom - start.top)}px`);
  }
  put(handles().start, start, false, sheet);
  put(handles().end, end, true, sheet);
};

let held = 0; // the pointer that drags, or did so last
const STILL = 4; // pixels a press may move and be none of the handle's

const isDragged = () => Object.values(handles()).some((each) => each.hasPointerCapture(held));

const onDrag = (side) => (event) => {
  event.preventDefault();
  if (isDragged()) return; // a second finger
  const handle = event.currentTarget;
  const isPress = ({ clientX, clientY }) => Math.hypot(clientX - event.clientX, clientY - event.clientY) < STILL;
  held = event.pointerId;
  handle.setPointerCapture(held);
  const line = begin(event.pointerType) && caretRect(moved[side]);
  if (!line) return;
  const { left, top, bottom } = line;
  // a finger or a pen goes on from where it took hold of the handle, a mouse stands on the words
  const [aside, below] = event.pointerType === "mouse"
    ? [0, ((bottom - top) / 2) * (side === "end" ? 1 : -1)]
    : [event.clientX - left, event.clientY - (top + bottom) / 2];
  handle.onpointermove = (each) => {
    if (!moved || (!isElsewhere() && isPress(each))) return;
    const offset = offsetAt(each.clientX - aside, each.clientY - below);
    if (offset !== null) shift(side, offset);
  };
  handle.onpointerup = (each) => {
    handle.onpointermove = null;
    handle.onpointerup = null;
    if (!moved) return;
    if (!each.altKey && isElsewhere()) moved = { ...moved, ...snap(text(), moved.start, moved.end) };
    if (isElsewhere() || !isPress(each)) return finish();
    end();
    if (each.pointerType !== "mouse") passOn(each);
  };
};

/** A touch that moved nothing is about the words below the handle: that is larger than the room between two lines. */
const passOn = ({ clientX, clientY, pointerType }) => {
  const below = document.elementsFromPoint(clientX, clientY).find((each) => !each.matches(".handle"));
  below?.dispatchEvent(new PointerEvent("click", { clientX, clientY, pointerType, bubbles: true }));
};

/** Somebody turned to something else: borders stay as they were, and keys are about them no more. */
const letGo = ({ type, target }) => {
  if (moved && !isDragged() && !target.matches(type === "focusin" ? ":not(input, select, textarea)" : ".handle")) end();
};

/** While a handle is dragged keys are about that. */
const onDragKey = (event) => {
  if (!moved || !isDragged()) return;
  event.stopImmediatePropagation();
  onKey(event);
};

document.addEventListener("keydown", onDragKey, { capture: true });
for (const [side, handle] of Object.entries(handles())) handle.addEventListener("pointerdown", onDrag(side));
for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, letGo);
for (const name of ["mark-activated", "laid-out"]) part("desk").addEventListener(name, drawHandles);
drawHandles(); // a mark may be active already
