// The code field of a card: what is typed is looked for as in the palette.
import { calledBy, choices, rank } from "./palette.js";

const MOST = 8; // hits that are listed

const part = (id) => document.getElementById(id);
const field = () => part("card-code");
const list = () => part("card-codes");

let recode = () => {};
let hits = [];
let pick = 0; // which of the hits Enter takes

// ── the list below the field ────────────────────────────────────────────────

const inWords = ({ code, subcode }) => {
  const found = choices().find((each) => each.code === code);
  const sub = found.subcodes.find((each) => each.code === subcode);
  return (sub ?? found).names[0];
};

const option = (hit, index) => {
  const made = document.createElement("li");
  made.id = `card-code-${index}`;
  made.role = "option";
  made.dataset.hit = index;
  made.setAttribute("aria-selected", String(index === pick));
  const name = document.createElement("b");
  name.textContent = `${hit.code} ${hit.subcode}`.trim();
  const called = Object.assign(document.createElement("span"), { className: "called", textContent: calledBy(hit) });
  made.append(name, " ", called, ` ${inWords(hit)}`);
  return made;
};

const draw = () => {
  if (!list()) return;
  list().hidden = !hits.length;
  list().replaceChildren(...hits.map(option));
  list().querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  field().setAttribute("aria-expanded", String(hits.length > 0));
  if (hits.length) field().setAttribute("aria-activedescendant", `card-code-${pick}`);
  else field().removeAttribute("aria-activedescendant");
};

const look = () => {
  hits = rank(field().value, choices()).slice(0, MOST);
  pick = 0;
  draw();
};

const shut = () => {
  hits = [];
  draw();
};

const take = (index) => {
  const hit = hits[index];
  shut();
  recode(field().form.dataset.number, hit);
};

const onKey = (event) => {
  if (event.target !== field() || !hits.length) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    pick = (pick + (event.key === "ArrowDown" ? 1 : -1) + hits.length) % hits.length;
    draw();
  } else if (event.key === "Enter" && event.ctrlKey) return take(pick); // and the card is saved
  else if (event.key === "Enter") take(pick);
  else if (event.key === "Escape") {
    field().value = field().defaultValue;
    shut();
  } else {
    if (event.key === "Tab") take(pick);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
};

/** Start, when somebody comes into the field; ``onTake(number, code)`` is told what was chosen. */
export const begin = (onTake) => {
  recode = onTake;
  const sheet = part("sheet"); // the card comes anew, the sheet stays
  sheet.addEventListener("input", ({ target }) => target === field() && look());
  sheet.addEventListener("keydown", onKey);
  sheet.addEventListener("focusout", ({ target }) => target === field() && shut());
  sheet.addEventListener("pointerdown", (event) => {
    const hit = event.target.closest?.("#card-codes [data-hit]");
    if (!hit) return;
    event.preventDefault(); // the field keeps the focus
    take(Number(hit.dataset.hit));
  });
  if (field() && field().value !== field().defaultValue) look(); // typed while this came
};
