// What pages of this check left behind when they went: changes that wait, this page's as soon as the others are open no
// more, and changes that were being made while it was loaded anew.
import { openedMark } from "./active.js";
import { comingChanges, isOther, look, takeUp, unanswered, version, warm } from "./sending.js";

const desk = () => document.getElementById("desk");

const read = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name))?.changes ?? [];
  } catch {
    return [];
  }
};

const isStep = ({ path }) => [desk().dataset.undo, desk().dataset.redo].includes(path);

const take = async (name) => {
  const found = read(name);
  if (!found.length) return;
  localStorage.removeItem(name);
  takeUp(found, true);
  if (unanswered().some(isStep)) (await warm("painting"))?.aimSteps(comingChanges()); // these were unknown when it was asked for
};

/** The names of all that is open in this browser, pages of this check among it. */
const opened = async () => (await navigator.locks?.query())?.held.map(({ name }) => name) ?? [];

/** The names under which other pages of this check keep what waits, or may come to, being open: oldest first. */
const others = (open) => {
  const names = [...open];
  try {
    const kept = Object.keys(localStorage).filter(isOther);
    const ages = new Map(kept.map((name) => [name, JSON.parse(localStorage.getItem(name)).at]));
    names.unshift(...kept.sort((one, other) => ages.get(one) - ages.get(other)));
  } catch {
    // nothing is kept here
  }
  return [...new Set(names)].filter(isOther);
};

const awaited = new Set(); // pages whose end this one waits for

/** A page went. What somebody has to decide about is left to the page they are at: the one that is loaded anew. */
const onEnd = async (name) => {
  if (document.hasFocus() || !read(name).some(({ stuck }) => stuck)) await take(name);
  else awaited.delete(name); // until somebody comes to this page
};

/** Take up what waits on other pages, each as soon as it is open no more; what is open no more by now, before this returns. */
export const adopt = async () => {
  const open = await opened();
  const names = others(open).filter((name) => !awaited.has(name));
  await Promise.all(
    names.map((name) => {
      awaited.add(name);
      const ended = navigator.locks ? navigator.locks.request(name, () => onEnd(name)) : take(name);
      return open.includes(name) ? null : ended;
    }),
  );
};

// ── another tab of this browser has made changes ───────────────────────────

let isOld = false; // somebody looks at this tab later

/** Ask for the page as it is by now, unless changes of its own bring that. */
const catchUp = () => {
  if (!isOld || document.hidden || unanswered().length) return;
  isOld = false;
  look(desk().dataset.parts, { card: openedMark() ?? "" }, () => true);
};

const onStored = ({ key, newValue }) => {
  if (key === null || !isOther(key) || newValue !== null) return; // it waits there still
  isOld = true;
  catchUp();
};

if ("editable" in desk().dataset) {
  addEventListener("storage", onStored);
  document.addEventListener("visibilitychange", catchUp);
}

// ── text typed in the other view of the check ──────────────────────────────

const typed = document.getElementById("typed-text");
const typedIn = () => `razbor-source-${typed.dataset.keeps}`;

/** Does text wait there? What was sent to be taken over, and changed the check, does not. */
const isTyped = () => {
  try {
    const found = JSON.parse(localStorage.getItem(typedIn()));
    return found !== null && !(found.taken < version());
  } catch {
    return false;
  }
};

const tellTyped = () => {
  document.getElementById("typed-waits")?.remove();
  if (isTyped()) typed.after(typed.content.cloneNode(true));
};

if (typed) {
  tellTyped();
  addEventListener("storage", ({ key }) => [null, typedIn()].includes(key) && tellTyped());
  addEventListener("pageshow", ({ persisted }) => persisted && tellTyped());
}

// ── a page that was made before a change that this browser made ───────────────────────

const known = () => `razbor-version-${desk().dataset.fragments}`;

/** The newest version this browser has heard of, in whichever tab, shown by now or not. */
const newest = () => Number(localStorage.getItem(known()));

const isBehind = () => version() < newest();
const note = (heard) => newest() < heard && localStorage.setItem(known(), heard);

/** A page older than that is brought up to date; what it shows then is the newest there is. */
const bringUp = async () => {
  const status = await look(desk().dataset.parts, { card: openedMark() ?? "" }, isBehind);
  if (status === 200 && isBehind()) localStorage.setItem(known(), version());
};

try {
  if ("editable" in desk().dataset) {
    if (isBehind()) bringUp();
    note(version());
    desk().addEventListener("marks-renewed", () => note(version()));
    desk().addEventListener("change-stored", ({ detail }) => note(Number(detail))); // the page may go before it shows it
  }
} catch {
  // nothing is kept in this browser
}
