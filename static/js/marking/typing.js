// What is being typed into a card and is no change yet, because its field was not left: the browser keeps it beside what
// waits, so that one that dies takes no words along. The next page of the check takes it up as a change.
import { touched } from "./cards.js";
import { changeOf } from "./changes.js";
import { newId, page, shelf, sinceFor } from "./sending.js";

const name = `${shelf()}typed-${page}`;

let isKept = false;

/** The words of the open card that are no change yet. */
const typed = () => {
  const form = document.querySelector("#cards form");
  const fields = form ? touched(form) : {};
  if (!Object.keys(fields).length) return null;
  const change = changeOf(form.dataset.number, { uid: newId(), card: "", quiet: 1, ...fields });
  return { ...change, shows: null, stuck: null, held: false, since: sinceFor(change.path) };
};

const keep = () => {
  const change = typed();
  if (!change && !isKept) return;
  try {
    if (change) localStorage.setItem(name, JSON.stringify({ at: Date.now(), changes: [change] }));
    else localStorage.removeItem(name);
    isKept = Boolean(change);
  } catch {
    // nothing is kept here: leaving the page asks
  }
};

/** After whatever has been done: a field that was left is a change by then. */
const soon = () => setTimeout(keep);

navigator.locks?.request(name, () => new Promise(() => {})); // nobody else takes it up as long as this page is open
document.addEventListener("input", ({ target }) => target.closest("#cards form") && soon());
for (const done of ["change", "click", "keydown", "focusout"]) document.addEventListener(done, () => isKept && soon());
document.getElementById("desk").addEventListener("marks-renewed", soon);
addEventListener("pagehide", keep);
