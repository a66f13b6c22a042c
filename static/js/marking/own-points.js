// One's own points: what was refused, or is not sent yet, stays in its field when the panel comes anew. It comes when the
// page stands already: nobody's first key goes into these fields.
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const stated = () => part("stated");
const isRefused = (field) => field.getAttribute("aria-invalid") === "true";
const whyOf = (field) => part(field.getAttribute("aria-describedby"));

/** The fields whose points were refused. */
export const refusedPoints = () => [...(stated()?.elements ?? [])].filter(isRefused);

/** Why they were refused, in sentences that name the criterion. */
export const reasons = () => refusedPoints().map((field) => whyOf(field).textContent);

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

/** Changes of another page are this page's now: the fields show them. */
const showTakenUp = ({ detail: found }) => {
  for (const { path, values } of found) {
    if (path !== stated()?.dataset.address) continue;
    for (const field of stated().elements) if (field.name in values) field.value = values[field.name];
  }
};

const showRefusal = () => {
  if (comes) part(comes)?.scrollIntoView({ block: "nearest" });
  comes = null;
};

let begun = false;

/** Start, once: what has been taken up meanwhile is shown, too. */
export const begin = () => {
  if (begun) return;
  begun = true;
  document.addEventListener("htmx:oobBeforeSwap", keepPoints);
  document.addEventListener("htmx:oobAfterSwap", showRefusal);
  part("desk").addEventListener("given-up", showStored);
  part("desk").addEventListener("taken-up", showTakenUp);
  showTakenUp({ detail: sending.unanswered() });
};
