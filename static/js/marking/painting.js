// The marked text painted at once, before the server's answer: the same flat pieces the server's
// renderer writes (annotator/core/painting.py, annotator/templatetags/essay_text.py), made of what the
// page has and of the changes that are on their way. The answer takes their place unseen.
import { isPlaced, isTelling, markIn, pendingRows, rows, tell, WORDS } from "./listing.js";
import * as past from "./past.js";
import { shine, text } from "./places.js";
import { page, version } from "./sending.js";

export { aim, aimSteps } from "./past.js";

const DEEPEST = 5; // steps of colour
const LANES = 4; // underlines that fit under a line

const part = (id) => document.getElementById(id);

// ── marks -> lines of pieces: pure ──────────────────────────────────────────

const overlap = (one, other) => Math.min(one.end, other.end) > Math.max(one.start, other.start);

/** The underline of every mistake and ИСП: index -> lane, 0 nearest the text; inner ones are nearer. */
const lanesOf = (marks) => {
  const taken = Array.from({ length: LANES - 1 }, () => []);
  const found = new Map();
  const underlined = marks.map((mark, index) => ({ mark, index })).filter(({ mark }) => mark.tone !== "block");
  const size = ({ mark }) => mark.end - mark.start;
  underlined.sort((a, b) => size(a) - size(b) || b.mark.start - a.mark.start || b.index - a.index);
  for (const { mark, index } of underlined) {
    const free = taken.findIndex((own) => !own.some((each) => overlap(each, mark)));
    found.set(index, free < 0 ? LANES - 1 : free);
    if (free >= 0) taken[free].push(mark);
  }
  return found;
};

/** The places of the lines of a text, each with the line feed at its end. */
const placesOf = (signs) => {
  const places = [];
  for (let start = 0; start < signs.length; start = places.at(-1).end) {
    places.push({ start, end: signs.indexOf("\n", start) + 1 || signs.length });
  }
  return places;
};

/** The lines of a text with what lies over each: {start, end, over: the marks, outer before inner, each with its lane}. */
const layersOf = (marks, signs) => {
  const lanes = lanesOf(marks);
  const laid = marks.map((mark, index) => ({ ...mark, lane: lanes.get(index) }));
  laid.sort((one, other) => one.start - other.start || other.end - one.end); // those of one place as they were made
  return placesOf(signs).map((place) => ({ ...place, over: laid.filter((mark) => overlap(mark, place)) }));
};

const chipOf = (mistakes, blocks, corrections) => {
  if (mistakes) return blocks ? "y" : "r";
  return corrections ? "b" : "";
};

const classesOf = (over, begins, ends) => {
  const count = (tone) => over.filter((mark) => mark.tone === tone).length;
  const isBlock = ({ tone }) => tone === "block";
  const blocks = count("block");
  const names = ["f"];
  if (blocks) names.push(`g${Math.min(blocks, DEEPEST)}`);
  const chip = chipOf(count("mistake"), blocks, count("isp"));
  if (chip) names.push(`${chip}${Math.min(over.length, DEEPEST)}`);
  for (const { tone, lane } of over) if (lane !== undefined) names.push(`${tone === "isp" ? "i" : "m"}${lane}`);
  if (begins.some(isBlock)) names.push("bs");
  if (ends.some(isBlock)) names.push("be");
  return names.join(" ");
};

/** Tags, each once in whatever letter case: the first as it is written. */
const apart = (tags) => tags.filter((tag, at) => tags.findIndex((each) => fold(each) === fold(tag)) === at);

const fold = (name) => name.trim().toLowerCase();

/** A piece of a line: the same marks lie over all of it. */
const pieceOf = (start, end, line, signs) => {
  const words = signs.slice(start, end);
  const over = line.over.filter((mark) => overlap(mark, { start, end }));
  if (!over.length) return { s: start, words };
  const begins = over.filter((mark) => mark.start === start);
  const ends = over.filter((mark) => mark.end === end);
  return {
    names: classesOf(over, begins, ends),
    s: start,
    m: over.map(({ number }) => number).join(" "),
    tag: apart([...ends].reverse().map(({ tag }) => tag).filter(Boolean)).join(" "),
    words,
  };
};

/** The pieces of a line, in order. */
const piecesOf = (line, signs) => {
  const isWithin = (at) => at > line.start && at < line.end;
  const inner = line.over.flatMap(({ start, end }) => [start, end]).filter(isWithin);
  const borders = [...new Set([line.start, ...inner, line.end])].sort((one, other) => one - other);
  return borders.slice(0, -1).map((start, at) => pieceOf(start, borders[at + 1], line, signs));
};

/** The lines of a text, each a list of pieces. ``marks``: {number, start, end, tone, tag} in the order
 * they were made; ``signs``: the code points of the text. */
export const linesOf = (marks, signs) => layersOf(marks, signs).map((line) => piecesOf(line, signs));

/** A piece as the server's renderer writes it. */
const written = ({ names, s, m, tag, words }) => {
  const made = document.createElement("span");
  if (names) made.className = names;
  made.dataset.s = s;
  if (m) made.dataset.m = m;
  if (tag) made.dataset.tag = tag;
  made.textContent = words.join("");
  return made;
};

/** The nodes of a line. */
export const nodesOf = (line) => line.map(written);

// ── what the page has, and what is on its way ───────────────────────────────

const numbers = new Map(); // uid of a mark the server has given no number yet -> its number here, below 0

const given = new Map(); // uid of a mark that was made here -> the number the server has given it

/** The number a mark goes by on this page until the server has given it one. */
const numberOf = (uid) => {
  if (!numbers.has(uid)) numbers.set(uid, -1 - numbers.size);
  return numbers.get(uid);
};

const uidOf = (number) => [...numbers].find(([, own]) => String(own) === String(number))?.[0];

/** How addresses name a mark: by its number, or by its uid while it has none. */
export const nameOf = (number) => uidOf(number) ?? number;

/** The number an address names a mark by, where it names it by the uid of one that has got its number. */
export const numberGiven = (name) => given.get(name) ?? name;

const toneOf = (code) => {
  if (code.toLowerCase() === "исп") return "isp";
  const known = JSON.parse(part("code-list").textContent).find((each) => each.code.toLowerCase() === code.toLowerCase());
  return known?.block ? "block" : "mistake";
};

const takenHere = () => part("taken")?.dataset ?? { taken: "", ruled: "" };

const namesIn = (words) => words.split(" ").filter(Boolean);

/** The marks as the server has told them, in the order they were made; of a third check each copy with its source. */
const marksHere = () => {
  const sources = new Map(namesIn(takenHere().taken).map((each) => each.split(":").reverse()));
  const marks = rows().map(markIn).map((mark) => ({ ...mark, source: sources.get(String(mark.number)) }));
  return marks.sort((one, other) => one.number - other.number);
};

const PLACED = [...WORDS, "start", "end"];

/** A mark after a change of some of its fields. */
const changed = (mark, values) => {
  const told = Object.fromEntries(PLACED.filter((name) => name in values).map((name) => [name, values[name]]));
  const place = "start" in told ? { start: Number(told.start), end: Number(told.end) } : {};
  return { ...mark, ...told, ...place, tone: "code" in told ? toneOf(told.code) : mark.tone };
};

const desk = () => part("desk").dataset;

/** The marks that places found get, each with a uid of its own. */
const alike = ({ places, code }) =>
  places.split(" ").map((each) => {
    const [, start, end, uid] = each.match(/^(\d+)-(\d+):(.+)$/);
    return { number: numberOf(uid), start: Number(start), end: Number(end), code, subcode: "", tone: toneOf(code), tag: "" };
  });

const LONGEST_STEM = 40; // signs of a proposed tag before its number

/** A tag that is none of the marks' own, as annotator/core/tags.py proposes it. */
const proposed = (marks, { code, subcode }) => {
  const taken = new Set(marks.map(({ tag }) => fold(tag)));
  const letters = [...(subcode || code.split(".").at(-1))].filter((sign) => /[\p{L}\p{N}]/u.test(sign));
  const stem = letters.slice(0, LONGEST_STEM).join("");
  let number = 1;
  while (taken.has(fold(`${stem}${number}`))) number += 1;
  return `${stem}${number}`;
};

/** Two marks have one tag: that of either, or a new one. */
const link = (found, { first, second }) => {
  const [one, other] = [first, second].map((name) => found.get(keyIn(found, name)));
  if (!one || !other) return; // the server says which is gone
  const tag = one.tag || other.tag || proposed([...found.values()], one);
  for (const mark of [one, other]) found.set(String(mark.number), { ...mark, tag });
};

/** The tag a copy gets, as annotator/services/taking.py gives it: that of a copy it is linked with, or its own. */
const tagOfCopy = (found, copy) => {
  if (!copy.tag) return "";
  const linked = [copy.beside ?? []].flat().map((name) => found.get(keyIn(found, name))?.tag).find(Boolean);
  if (linked) return linked;
  const isUsed = [...found.values()].some(({ tag }) => fold(tag) === fold(copy.tag));
  return isUsed ? proposed([...found.values()], copy) : copy.tag;
};

/** Fragments of earlier checks are taken: copies come, others go. */
const take = (found, { come = [], gone = [] }) => {
  for (const { name } of gone) found.delete(keyIn(found, name));
  for (const { uid, ...copy } of come) {
    const number = numberOf(uid);
    const mark = { ...copy, number, tone: toneOf(copy.code), tag: tagOfCopy(found, copy) };
    found.set(String(number), mark);
  }
};

/** What a mark goes by here: its number, or that of its uid, the server's once it has given one. */
const keyIn = (found, name) =>
  [name, numbers.get(name), given.get(name)].map(String).find((key) => found.has(key)) ?? String(name);

/** A step of the log, back or forth: marks the page does not have come under a number of its own. */
const lay = (found, edits, known) => {
  for (const [number, , mark] of edits.filter(([key]) => past.isMark(key))) {
    const own = known.has(number) ? number : numberOf(String(number));
    found.delete(String(own));
    if (mark) found.set(String(own), { ...mark, number: own, rank: number });
  }
};

/** The order marks were made in: those without a number yet come last. */
const rankOf = ({ rank, number }) => rank ?? (number > 0 ? number : Infinity);
const byRank = (one, other) => (rankOf(one) === rankOf(other) ? 0 : rankOf(one) - rankOf(other));

/** Make a change of marks: its address may be below ``base``. */
const make = (found, { path, values, shows }, base) => {
  if (shows) take(found, shows);
  if (path === desk().links) link(found, values);
  if (path === desk().same) for (const mark of alike(values)) found.set(String(mark.number), mark);
  if (!path.startsWith(base)) return;
  const [name, drop] = path.slice(base.length).split("/");
  const key = keyIn(found, name);
  if (!name) {
    const number = numberOf(values.uid);
    found.set(String(number), changed({ number, subcode: "", tag: "" }, values)); // without a place: of the whole text
  } else if (drop) found.delete(key);
  else if (found.has(key)) found.set(key, changed(found.get(key), values));
};

/** A page that is gone has sent it, before what this one shows: its marks may be here, and come no second time. */
const mayBeStored = ({ since, values }) => Number(since) < version() && !values.page?.endsWith(page);

/** The marks as they are once what waits is made: changes of addresses below ``base``. */
const after = (marks, changes, base) => {
  const found = new Map(marks.map((mark) => [String(mark.number), mark]));
  const known = new Set(marks.map(({ number }) => number));
  const { taken, made } = past.standing(changes);
  for (const edits of taken) lay(found, past.inverse(edits), known);
  for (const each of made) {
    if (Array.isArray(each)) lay(found, each, known);
    else make(found, each, base);
    if (mayBeStored(each)) for (const uid of learn(each, marks)) found.delete(String(numbers.get(uid)));
  }
  return [...found.values()].sort(byRank);
};

/** What a step of the log says anew of a mark. */
const saidIn = (edits, name) =>
  edits
    .filter(([number, , after]) => String(number) === name && after)
    .map(([, before, after]) => Object.fromEntries(WORDS.filter((each) => before?.[each] !== after[each]).map((each) => [each, after[each]])));

/** What an address below those of marks names, a mark that has got its number by that. */
const namedBy = (path) => {
  const [name, ...rest] = path.slice(desk().fragments.length).split("/");
  return [numberGiven(name), ...rest].filter(Boolean).join("/");
};

/** What changes that wait say of a mark by its address, once those among them that undo and redo are made. */
export const onTheWay = (changes, path) => {
  const name = namedBy(path);
  const { taken, made } = past.standing(changes);
  const isOf = (each) => each.path === path || (each.path.startsWith(desk().fragments) && namedBy(each.path) === name);
  const saidBy = (each) => (isOf(each) ? [each.values] : []);
  const said = made.flatMap((each) => (Array.isArray(each) ? saidIn(each, name) : saidBy(each)));
  return Object.assign({}, ...taken.flatMap((edits) => saidIn(past.inverse(edits), name)), ...said);
};

/** The marks that wait to be sent are underlined, unless what follows takes them back. */
export const showHeld = (changes) => {
  const { made } = past.standing(changes);
  const isDropped = (uid) => made.some(({ path }) => path?.endsWith(`/${uid}/drop/`));
  const isMark = ({ held, values }) => held && values.quote && values.start !== undefined && !isDropped(values.uid);
  shine("waiting", made.filter(isMark).map(({ values: { start, end } }) => ({ start: Number(start), end: Number(end) })));
};

/** What a change has made is stored: changes of it that wait go by its uid, and are about its number now. The uids of
 * the marks that were found. */
const learn = (change, stored) => {
  const made = new Map();
  make(made, change, desk().fragments);
  const where = ({ code, start, end }) => [code, start || 0, end || 0].join();
  const found = [...made.values()].map((mark) => [uidOf(mark.number), stored.findLast((each) => where(each) === where(mark))]);
  const known = found.filter(([, own]) => own);
  for (const [uid, own] of known) given.set(uid, own.number);
  return known.map(([uid]) => uid);
};

/** An answer has come: the page shows what is stored, and of the log one step more may be known. */
export const note = (change) => {
  const stored = marksHere();
  if (change) learn(change, stored);
  past.note(stored, namesIn(takenHere().ruled), change);
};

// ── on the page ─────────────────────────────────────────────────────────────

const ours = new Map(); // paragraph -> {key, first}: what was painted here, and by what it is known again

/** All that a line is painted by. */
const keyOf = ({ over }) => over.map(({ number, start, end, tone, tag, lane }) => [number, start, end, tone, tag, lane].join("|")).join("\n");

/** What a paragraph shows: what was painted here, unless an answer has come over it since. */
const shownIn = (paragraph, line) => {
  const own = ours.get(paragraph);
  if (own?.first === paragraph.firstChild) return own.key;
  ours.delete(paragraph);
  return keyOf(line);
};

const paintText = (before, marks) => {
  const base = layersOf(before.filter(isPlaced), text());
  const lines = marks === before ? base : layersOf(marks.filter(isPlaced), text());
  [...part("essay").children].forEach((paragraph, at) => {
    const key = keyOf(lines[at]);
    if (shownIn(paragraph, base[at]) === key) return;
    paragraph.replaceChildren(...nodesOf(piecesOf(lines[at], text())));
    ours.set(paragraph, { key, first: paragraph.firstChild });
  });
};

/** What of a mark its row is placed by. */
const placeIn = ({ dataset: { mark, rank, start, end } }) => ({
  start: Number(start),
  end: Number(end),
  rank: rank && Number(rank),
  number: Number(mark),
});

/** The order of the list: what begins later, or ends sooner, or was made later comes after. */
const byPlace = (one, other) => one.start - other.start || other.end - one.end || byRank(one, other);

const placedRows = () => [...document.querySelectorAll("#marks > [data-mark]")];

/** An item stands before those that come after its mark, where it does not do so already. */
const putInOrder = (item, mark) => {
  const others = placedRows().filter((each) => each !== item);
  const next = others.find((each) => byPlace(placeIn(each), mark) > 0) ?? null;
  if (!item.isConnected || item.nextElementSibling !== next) part("marks").insertBefore(item, next);
};

/** All stand in order: an answer places a row among those of what is stored, which others do not say any more. */
const putAllInOrder = () => {
  const places = new Map(placedRows().map((item) => [item, placeIn(item)]));
  let next = null;
  for (const [item] of [...places].sort(([, one], [, other]) => byPlace(other, one))) {
    if (next && item.nextElementSibling !== next) next.before(item);
    next = item;
  }
};

const listPending = (marks) => {
  const pending = marks.filter(({ number }) => number < 0);
  const items = pendingRows(pending);
  const stays = new Map(marks.map((mark) => [String(mark.number), mark]));
  for (const item of rows()) {
    item.hidden = !stays.has(item.dataset.mark);
    const mark = stays.get(item.dataset.mark);
    if (mark && tell(item, mark) && isPlaced(mark)) putInOrder(item, mark);
  }
  for (const [at, mark] of pending.entries()) {
    if (isPlaced(mark)) putInOrder(items[at], mark);
    else if (!items[at].isConnected) part("whole-add").before(items[at]);
  }
  putAllInOrder();
  const empty = document.querySelector("#marks > .empty");
  if (empty) empty.hidden = marks.some(isPlaced);
};

/** Is nothing of what was painted here on the page any more? Answers have come over all of it. */
const isOver = () => {
  for (const [paragraph, { first }] of ours) if (paragraph.isConnected && paragraph.firstChild === first) return false;
  ours.clear();
  return !isTelling() && !document.querySelector(":is(#marks, #whole) > :is([data-pending], [data-mark][hidden])");
};

/** Show the page as it is once these changes are made; true when something was painted anew. */
export const paint = (changes) => {
  if (!changes.length && isOver()) return false;
  const before = marksHere();
  const marks = changes.length ? after(before, changes, part("desk").dataset.fragments) : before;
  paintText(before, marks);
  listPending(marks);
  return true;
};
