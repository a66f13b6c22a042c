// The palette: type-ahead, the sticky code, the codes used last, what a code means.
import { nearest, rank } from "./rank.js";

const RECENT = 6;

let codes = [];
let choose = () => {};
let hits = [];
let pick = 0; // which of the hits Enter takes
let sticky = null; // {code, subcode}: the next selections get it
let last = null; // {code, subcode}: what the repeat key sets

const part = (id) => document.getElementById(id);
const find = () => part("find");
const buttons = () => part("codes").querySelectorAll("[data-code]");
const known = (code) => codes.find((each) => each.code === code);

const keep = () => `razbor-recent-${part("desk").dataset.subject}`;
const recent = () => {
  try {
    return JSON.parse(localStorage.getItem(keep()) ?? "[]").filter((each) => known(each.code));
  } catch {
    return [];
  }
};

/** The code that is set with one key: the one used last. */
export const lastUsed = () => last ?? recent()[0] ?? null;

/** The sticky code, if any. */
export const stickyCode = () => sticky;

const button = ({ code, subcode }) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "code";
  made.dataset.code = code;
  made.dataset.subcode = subcode;
  made.textContent = `${code} ${subcode}`.trim();
  return made;
};

const drawRecent = () => part("recent").replaceChildren(...recent().map(button));

/** Remember what was just used. */
export const remember = (used) => {
  last = used;
  const others = recent().filter((each) => each.code !== used.code || each.subcode !== used.subcode);
  try {
    localStorage.setItem(keep(), JSON.stringify([used, ...others].slice(0, RECENT)));
  } catch {
    // nothing kept: the row of last codes lasts for this page
  }
  drawRecent();
};

/** Show what a code or a subcode means, always in the same place. */
export const define = (code, subcode = "") => {
  const found = known(code);
  if (!found) return;
  const sub = found.subcodes.find((each) => each.code === subcode);
  part("define-name").textContent = `${code} ${subcode}`.trim();
  part("define-words").textContent = sub ? sub.names[0] : found.names[0];
  part("define-example").textContent = found.example;
  part("subs").replaceChildren(...found.subcodes.map((each) => button({ code, subcode: each.code })));
  for (const each of part("subs").children) {
    each.textContent = each.dataset.subcode;
    each.setAttribute("aria-pressed", String(each.dataset.subcode === subcode));
  }
};

const press = () => {
  for (const each of buttons()) {
    each.setAttribute("aria-pressed", String(sticky !== null && each.dataset.code === sticky.code));
  }
  part("sticky").hidden = sticky === null;
  part("sticky-code").textContent = sticky ? `${sticky.code} ${sticky.subcode}`.trim() : "";
};

/** Make a code sticky, or none. */
export const stick = (code) => {
  sticky = code;
  press();
};

/** Make a code sticky, or let it go when it is so already. */
export const toggle = (code) => {
  const isSame = sticky?.code === code.code && sticky?.subcode === code.subcode;
  stick(isSame ? null : code);
};

const draw = () => {
  const query = find().value;
  const found = new Set(hits.map((hit) => hit.code));
  part("codes").classList.toggle("filtering", query.trim() !== "");
  for (const each of buttons()) each.classList.toggle("match", found.has(each.dataset.code));
  const best = hits[pick];
  part("hit").hidden = query.trim() === "";
  part("hit-code").textContent = best ? `${best.code} ${best.subcode}`.trim() : "";
  const near = best ? null : nearest(query, codes);
  part("hit-none").hidden = Boolean(best) || query.trim() === "";
  part("hit-near").textContent = near ?? "";
  if (best) define(best.code, best.subcode);
};

const filter = () => {
  hits = rank(find().value, codes);
  pick = 0;
  draw();
};

/** Begin to search; a letter typed in the text goes along by itself. */
export const focusSearch = () => {
  find().value = "";
  filter();
  find().focus({ preventScroll: true });
};

/** Forget the search. */
export const clear = () => {
  find().value = "";
  filter();
};

const onKey = (event) => {
  if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey && hits[pick])) {
    event.preventDefault();
    const hit = hits[pick];
    if (!hit) return;
    clear();
    choose({ code: hit.code, subcode: hit.subcode }, { edit: event.key === "Tab" });
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    pick = (pick + (event.key === "ArrowDown" ? 1 : -1) + hits.length) % Math.max(1, hits.length);
    draw();
  }
};

const onClick = (event) => {
  const target = event.target.closest("[data-code]");
  if (target) choose({ code: target.dataset.code, subcode: target.dataset.subcode ?? "" }, {});
};

/** Is a code one of the whole text only? */
export const isForWholeText = (code) => Boolean(known(code)?.whole);

/** Count on every code how often it is marked. */
export const count = () => {
  const used = new Map();
  for (const { dataset } of document.querySelectorAll("[data-mark][data-code]")) {
    used.set(dataset.code, (used.get(dataset.code) ?? 0) + 1);
  }
  for (const each of buttons()) each.querySelector("sup").textContent = used.get(each.dataset.code) ?? "";
};

/** Start; ``onChoose(code, {edit})`` is told what was chosen. */
export const start = (onChoose) => {
  codes = JSON.parse(part("code-list").textContent);
  choose = onChoose;
  find().addEventListener("input", filter);
  find().addEventListener("keydown", onKey);
  part("palette").addEventListener("click", onClick);
  part("palette").addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-code]")) event.preventDefault(); // the selection stays
  });
  for (const name of ["focusin", "pointerover"]) {
    part("codes").addEventListener(name, (event) => {
      const code = event.target.closest("[data-code]")?.dataset.code;
      if (code && !find().value) define(code);
    });
  }
  drawRecent();
};
