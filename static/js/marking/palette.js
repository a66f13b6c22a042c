// The palette: type-ahead, the sticky code, the codes used last, what a code means.
//
// Type-ahead: what was typed -> the codes and subcodes it may mean, best first.
//
// A code is {code, called, names: [..], subcodes: [{code, called, names: [..]}]}; names are descriptions
// in every language and the English name, by which it is called on an English page. Letters typed on the
// other keyboard layout mean the same keys.

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`/";
const CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё.";

/** The same keys on a Russian keyboard. */
const asCyrillic = (text) =>
  [...text].map((sign) => CYRILLIC[LATIN.indexOf(sign)] ?? sign).join("");

const fold = (text) => text.toLowerCase().replaceAll("ё", "е");

/** «А.грамм» -> «грамм»: the letter of the subject is the same in all codes. */
const body = (code) => code.replace(/^[^.]\./u, "");

/** How well a word fits what is said of a code: less is better, null is not at all. */
const fitNames = (word, names) => {
  if (names.some((name) => fold(name) === word)) return 2.9; // before what only begins so
  const words = names.flatMap((name) => fold(name).split(/[^\p{L}\p{N}]+/u));
  if (words.some((each) => each.startsWith(word))) return 3;
  return names.some((name) => fold(name).includes(word)) ? 4 : null;
};

/** How well a word fits a code or what is said of it. */
const fit = (word, code, names) => {
  const [whole, short] = [fold(code), body(fold(code))];
  if (short.startsWith(word) || whole.startsWith(word)) return whole === word || short === word ? 0 : 1;
  return short.includes(word) ? 2 : fitNames(word, names);
};

const OWN = 2.5; // a subcode that was typed as it is called comes after the codes that have these letters
const SAID = 5; // any other one comes after every code

/** How well some words fit: the first one the code or what is said of it, the others only that. */
const fitAll = ([first, ...rest], code, names) => {
  const fits = [fit(first, code, names), ...rest.map((word) => fitNames(word, names))];
  return fits.includes(null) ? null : fits.reduce((sum, each) => sum + each);
};

const hitsOf = (words, each) => {
  const [first, ...rest] = words;
  const hits = [];
  const add = (subcode, score) => score !== null && hits.push({ code: each.code, subcode, score });
  add("", fitAll(words, each.code, each.names));
  const own = rest.length ? fit(first, each.code, each.names) : null;
  for (const sub of each.subcodes) {
    const part = own === null ? null : fitAll(rest, sub.code, sub.names);
    const alone = fitAll(words, sub.code, sub.names);
    const apart = alone === null ? null : alone + (alone === 0 ? OWN : SAID);
    add(sub.code, part !== null ? own + part : apart);
  }
  return hits;
};

const search = (query, codes) => {
  const words = fold(query).trim().split(/\s+/u);
  return codes.flatMap((each) => hitsOf(words, each));
};

/** The hits of a query, best first; equal ones in the palette's order. Empty for no query. */
export const rank = (query, codes) => {
  if (!query.trim()) return [];
  const hits = search(query, codes);
  const found = hits.length ? hits : search(asCyrillic(query.toLowerCase()), codes);
  return found
    .map((hit, index) => ({ ...hit, index }))
    .sort((one, other) => one.score - other.score || one.index - other.index);
};

/** The code nearest to a query nothing was found for: the one that shares its first letters. */
export const nearest = (query, codes) => {
  const wanted = fold(asCyrillic(query.trim().toLowerCase()));
  const shared = (code) => {
    const short = body(fold(code));
    let count = 0;
    while (count < wanted.length && short[count] === wanted[count]) count += 1;
    return count;
  };
  const best = [...codes].sort((one, other) => shared(other.code) - shared(one.code))[0];
  return best && shared(best.code) ? best.code : null;
};

// ── the palette ─────────────────────────────────────────────────────────────

const RECENT = 6;

let codes = [];
let offered = []; // those that may be chosen now: a block never for the whole text
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

/** The mark behind one of the keys 1 to 9, {code, words}; nothing where there is none. */
export const ownMark = (key) => {
  const own = part("palette").querySelector(`[data-quick][data-value="${key}"]`)?.dataset;
  if (!own) return null;
  const { quick: code, subcode, comment, correction } = own;
  return { code: { code, subcode }, words: { comment, correction } };
};

const alike = ({ quick, comment }) => `${quick} ${comment.split(/\s+/u).filter(Boolean).join(" ").replace(/[ .]+$/u, "").toLowerCase()}`;

/** Own comments by one key: what has a key keeps it, and a new one gets the next that is free. */
export const keepKeys = (before, after) => {
  const known = new Map([...before.children].map(({ dataset }) => [alike(dataset), dataset.value]));
  const all = [...after.children].map((each) => [each, known.get(alike(each.dataset))]);
  const free = [..."123456789"].filter((key) => !all.some(([, own]) => own === key));
  for (const [each, own] of all) {
    each.dataset.value = own ?? free.shift();
    each.querySelector("kbd").textContent = each.dataset.value;
  }
  after.append(...[...after.children].sort((one, other) => one.dataset.value - other.dataset.value));
};

/** Is a pointer over the palette? A finger that is gone points to nothing. */
const isPointedAt = () => !matchMedia("(hover: none)").matches && part("palette").matches(":hover");

let coming = null; // own comments that wait until no pointer is over the palette, or it rests: nothing moves under it

const onQuick = ({ detail }) => {
  if (detail.target.id !== "quick") return;
  const fresh = detail.fragment.querySelector("#quick");
  keepKeys(detail.target, fresh);
  detail.shouldSwap = !isPointedAt();
  coming = detail.shouldSwap ? null : fresh;
};

const bringQuick = ({ pointerType }) => {
  if (!coming || pointerType === "touch" || part("quick").contains(document.activeElement)) return;
  part("quick").replaceWith(coming);
  coming = null;
};

/** The sticky code, if any. */
export const stickyCode = () => sticky;

/** What a code and its subcode are called, where they are: "Grammar: article". */
export const calledBy = ({ code, subcode }) => {
  const found = known(code);
  return [found?.called, found?.subcodes.find((each) => each.code === subcode)?.called].filter(Boolean).join(": ");
};

const button = ({ code, subcode }) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "code";
  made.dataset.code = code;
  made.dataset.subcode = subcode;
  made.textContent = `${code} ${subcode}`.trim();
  made.title = calledBy({ code, subcode });
  return made;
};

const close = (each) => {
  each.disabled = !offered.some(({ code }) => code === each.dataset.code);
};

const drawRecent = () => {
  part("recent").replaceChildren(...recent().map(button));
  for (const each of part("recent").children) close(each);
  part("recent").scrollTop = 0; // the row shows one line: the code used last
};

let isForAll = false; // the next code is one of the whole text

/** Is the next code one of the whole text? */
export const asksForWholeText = () => isForAll;

/** Ask for a code of the whole text, of those that may stand for it, or for any code again. */
export const askForWholeText = (on) => {
  isForAll = on;
  part("whole-add")?.setAttribute("aria-pressed", String(on));
  part("desk").classList.toggle("for-whole", on);
  offered = codes.filter((each) => !(on && each.placed));
  for (const each of buttons()) close(each);
  drawRecent();
  if (!on) return;
  for (const id of ["subs", "define-name", "define-called", "define-words", "define-example"]) part(id).replaceChildren();
  part("palette").scrollTop = 0;
  focusSearch(!matchMedia("(pointer: coarse)").matches); // a field with the focus brings a keyboard up over the codes
};

/** Remember and explain what was just used; ``more`` is said of the mark that was made last: the bare code gives its place up. */
export const remember = (used, more = false) => {
  last = used;
  define(used.code, used.subcode);
  const isUsed = ({ code, subcode }) => code === used.code && subcode === used.subcode;
  const former = recent();
  if (more && former[0]?.code === used.code && !former[0].subcode) former.shift();
  if (former.findIndex(isUsed) === 0) return; // it stands at the head already
  try {
    const kept = [used, ...former.filter((each) => !isUsed(each))];
    localStorage.setItem(keep(), JSON.stringify(kept.slice(0, RECENT)));
  } catch {
    // nothing kept: the row of last codes lasts for this page
  }
  drawRecent();
};

/** Show the subcodes of a code; the same stay, and so does whoever is at one of them. */
const showSubcodes = ({ code, subcodes }, chosen) => {
  const row = part("subs");
  if (row.firstElementChild?.dataset.code !== code) row.replaceChildren(...subcodes.map((each) => button({ code, subcode: each.code })));
  for (const each of row.children) {
    each.textContent = each.dataset.subcode;
    each.setAttribute("aria-pressed", String(each.dataset.subcode === chosen));
  }
};

/** Show what a code or a subcode means, always in the same place. */
const define = (code, subcode = "") => {
  const found = known(code);
  if (!found) return;
  const sub = found.subcodes.find((each) => each.code === subcode);
  part("define-name").textContent = `${code} ${subcode}`.trim();
  part("define-called").textContent = calledBy({ code, subcode });
  part("define-words").textContent = sub ? sub.names[0] : found.names[0];
  part("define-example").textContent = found.example;
  showSubcodes(found, subcode);
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
  define(code.code, code.subcode);
};

const draw = () => {
  const query = find().value;
  const found = new Set(hits.map((hit) => hit.code));
  part("codes").classList.toggle("filtering", query.trim() !== "");
  for (const each of buttons()) each.classList.toggle("match", found.has(each.dataset.code));
  const best = hits[pick];
  part("hit").hidden = query.trim() === "";
  part("hit-code").textContent = best ? `${best.code} ${best.subcode}`.trim() : "";
  part("hit-called").textContent = best ? calledBy(best) : "";
  const near = best ? null : nearest(query, offered);
  part("hit-none").hidden = Boolean(best) || query.trim() === "";
  part("hit-nearest").hidden = near === null;
  part("hit-near").textContent = near ?? "";
  if (best) define(best.code, best.subcode);
};

const filter = () => {
  hits = rank(find().value, offered);
  pick = 0;
  draw();
};

/** Begin to search; a letter typed in the text goes along by itself. */
export const focusSearch = (isTyped = true) => {
  part("desk").dispatchEvent(new CustomEvent("codes-wanted"));
  find().value = "";
  filter();
  if (isTyped) find().focus({ preventScroll: true });
};

/** Forget the search. */
export const clear = () => {
  find().value = "";
  filter();
};

/** Is a code looked for? */
export const isSearching = () => document.activeElement === find();

/** The codes that may be chosen now, as type-ahead searches them. */
export const choices = () => offered;

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
  if (!target) return;
  clear();
  choose({ code: target.dataset.code, subcode: target.dataset.subcode ?? "" }, {});
};

/** Whoever presses in the text looks for a code no more. */
const onLeave = ({ relatedTarget }) => relatedTarget?.closest("#sheet") && find().value && clear();

/** An open card has the subcodes of its code beside it: those of another one would give its mark that code. */
const follow = () => {
  const { code, subcode } = part("cards").querySelector("form")?.elements ?? {};
  const shown = `${code?.value} ${subcode?.value ?? ""}`.trim();
  if (code && part("define-name").textContent !== shown && !isPointedAt() && !part("palette").matches(":focus-within")) define(code.value, subcode?.value);
};

const explain = ({ target }) => {
  const pointed = target.closest("[data-code]")?.dataset;
  if (pointed && !find().value) define(pointed.code, pointed.subcode);
};

const REST = 180; // milliseconds: a pointer that only crosses a code leaves the subcodes of another one

let resting = 0;

const onPoint = (event) => {
  clearTimeout(resting);
  if (part("subs").hasChildNodes()) resting = setTimeout(() => explain(event), REST);
  else explain(event);
};

/** Is a code one of the whole text only? */
export const isForWholeText = (code) => Boolean(known(code)?.whole);

/** Does a code take no tag? Then its marks are not linked. */
export const isTagless = ({ code }) => known(code)?.tagged === false;

/** Count on every code how often it is marked. */
export const count = () => {
  const used = new Map();
  for (const { dataset } of document.querySelectorAll("[data-mark][data-code]:not([hidden])")) {
    used.set(dataset.code, (used.get(dataset.code) ?? 0) + 1);
  }
  for (const each of buttons()) {
    const shown = each.querySelector("sup");
    const now = String(used.get(each.dataset.code) ?? "");
    if (shown.textContent !== now) shown.textContent = now;
  }
};

/** Start; ``onChoose(code, {edit})`` is told what was chosen. */
export const start = (onChoose) => {
  codes = JSON.parse(part("code-list").textContent);
  offered = codes;
  choose = onChoose;
  find().addEventListener("input", filter);
  find().addEventListener("keydown", onKey);
  find().addEventListener("blur", onLeave);
  part("desk").addEventListener("laid-out", follow);
  part("palette").addEventListener("pointerleave", follow);
  part("palette").addEventListener("click", onClick);
  part("palette").addEventListener("mousedown", (event) => {
    const lets = event.target.closest("input, .define, button:not([data-code], [data-quick])");
    if (!lets) event.preventDefault(); // the selection stays
  });
  document.addEventListener("htmx:oobBeforeSwap", onQuick);
  part("palette").addEventListener("pointerleave", bringQuick);
  document.addEventListener("keydown", bringQuick); // whoever is at the keys lets the pointer rest
  for (const name of ["recent", "codes"]) {
    part(name).addEventListener("focusin", explain);
    part(name).addEventListener("pointermove", onPoint);
    part(name).addEventListener("pointerleave", () => clearTimeout(resting));
  }
  addEventListener("storage", ({ key }) => key === keep() && drawRecent()); // used in another tab
  drawRecent();
};
