// What a third expert has decided by now: what the server says in #taken, and what waits made on top of it. A step of
// the log that is taken back, or made again, counts before its answer. And what the page shows of a decision meanwhile.
import { nameOfMark } from "./changes.js";
import * as past from "./past.js";
import * as sending from "./sending.js";

const stored = () => document.getElementById("taken").dataset;
const namesIn = (words) => words.trim().split(" ").filter(Boolean);

/** The mark a change deletes; nothing where it deletes none. */
const droppedBy = ({ path }) => path.match(/\/([^/]+)\/drop\/$/)?.[1];

/** Go through what waits: ``onEdit(key, before, after)`` hears what steps of the log come to, ``onChange`` the rest. */
const goThrough = (onEdit, onChange) => {
  const { taken: back, made } = past.standing(sending.comingChanges());
  for (const [key, before, after] of back.flat()) onEdit(key, after, before);
  for (const each of made) {
    if (Array.isArray(each)) for (const edit of each) onEdit(...edit);
    else onChange(each);
  }
};

/** The fragments of the earlier checks that are taken, or will be once what waits is made: to the marks here. */
export const taken = () => {
  const own = new Map(namesIn(stored().taken).map((each) => each.split(":")));
  const onEdit = (number, before, after) => {
    if (before?.source) own.delete(before.source);
    if (after?.source) own.set(after.source, String(number));
  };
  const onChange = (change) => {
    const { come = [], gone = [] } = change.shows ?? {};
    for (const [source, name] of own) if (name === droppedBy(change)) own.delete(source);
    for (const { source } of gone) own.delete(source);
    for (const { source, uid } of come) own.set(source, uid);
  };
  goThrough(onEdit, onChange);
  return own;
};

/** Those whose copies are not as they were taken. */
export const edited = () => new Set(namesIn(stored().edited));

/** The fragments of the earlier checks of which neither is taken, or will not be once what waits is made. */
export const ruled = () => {
  const own = new Set(namesIn(stored().ruled));
  const rule = (number, isRuled) => (isRuled ? own.add(number) : own.delete(number));
  const onEdit = (key, _before, after) => {
    const number = past.ruledIn(key);
    if (number) rule(number, after);
  };
  const onChange = ({ shows }) => {
    for (const number of shows?.ruled ?? []) rule(number, true);
    for (const number of shows?.open ?? []) rule(number, false);
  };
  goThrough(onEdit, onChange);
  return own;
};

/** Why it is decided so, or will be once what waits is made: by the fragments of the earlier checks. */
export const reasons = () => {
  const own = past.reasonsHere();
  const onEdit = (key, _before, after) => {
    const number = past.reasonIn(key);
    if (number) own.set(number, after ?? "");
  };
  const onChange = ({ path, values }) => {
    if (path !== document.getElementById("settling").dataset.reasons) return;
    for (const number of namesIn(values.fragments)) own.set(number, values.reason.trim());
  };
  goThrough(onEdit, onChange);
  return own;
};

/** What a mark goes by on this page: one that waits has a number of its own. */
export const numberOf = (name) => {
  const pending = [...document.querySelectorAll(":is(#marks, #whole) > [data-pending]")].map(({ dataset }) => dataset.mark);
  return pending.find((number) => nameOfMark(number) === name) ?? name;
};

// ── what the page shows of a decision before its answer ─────────────────────

export const other = (side) => (side === "first" ? "second" : "first");

/** The fragments of a pair. */
export const numbersOf = (pair) => [pair.dataset.first, pair.dataset.second].filter(Boolean);

/** Where the fragments of a pair lie: {first, second}. */
export const placesOf = (pair) => {
  const [first, second] = pair.dataset.places.split(",").map((words) => {
    const [start, end] = words.split("-").map(Number);
    return words ? { start, end } : null;
  });
  return { first, second };
};

const sideOf = (pair, side) => pair.querySelector(`.take.${side}`);

/** Where the fragments of a side of pairs lie: those of blocks, which cover most of a text, and the others. */
export const ghostsOf = (pairs, side) => {
  const found = pairs.map((pair) => ({ place: placesOf(pair)[side], isBlock: "block" in (sideOf(pair, side)?.dataset ?? {}) }));
  const placed = found.filter(({ place }) => place);
  const of = (isBlock) => placed.filter((each) => each.isBlock === isBlock).map(({ place }) => place);
  return { blocks: of(true), others: of(false) };
};

const fold = (tag) => tag.trim().toLowerCase();

/** The tags of the fragments of a pair, by their sides; "" for none. */
const tagsOf = (pair) => {
  const sides = ["first", "second"].map((side) => [side, sideOf(pair, side)]).filter(([, button]) => button);
  return Object.fromEntries(sides.map(([side, button]) => [side, fold(button.dataset.tag)]));
};

/** How many of the earlier checks link two fragments, as annotator/core/tags.py counts them; each {side, tags}. */
const checksThatLink = (one, other) => {
  const both = Object.keys(one.tags).filter((side) => side in other.tags);
  const linking = both.filter((side) => one.tags[side] && one.tags[side] === other.tags[side]);
  const asked = one.side === other.side ? [one.side] : both;
  return asked.every((side) => linking.includes(side)) ? linking.length : 0;
};

/** The copies a fragment is linked with, those first that both checks link: what they go by. ``copies``: {source, name}. */
const besideOf = (source, copies, known) => {
  const present = copies.filter((each) => known.has(each.source));
  const found = present.map((each) => ({ ...each, count: checksThatLink(known.get(source), known.get(each.source)) }));
  const linked = found.filter(({ count }) => count > 0);
  return linked.sort((one, other) => other.count - one.count || one.source - other.source).map(({ name }) => name);
};

/** Of every fragment of the earlier checks its side, and the tags of its pair. */
const linksOf = (pairs) => {
  const of = (pair) => ["first", "second"].map((side) => [pair.dataset[side], { side, tags: tagsOf(pair) }]);
  return new Map(pairs.flatMap(of).filter(([source]) => source));
};

const copiesOf = (sources, own) => sources.filter((source) => own.has(source)).map((source) => ({ source, name: own.get(source) }));

/** A side of pairs is taken: the copies that come, the untouched ones that go; ``pairs``: all there are. */
export const byTaking = (wanted, side, pairs) => {
  const own = taken();
  const kept = edited();
  const replaced = wanted.map((pair) => pair.dataset[other(side)]).filter((source) => !kept.has(source));
  const gone = copiesOf(replaced, own);
  const copies = copiesOf([...own.keys()].filter((source) => !replaced.includes(source)), own);
  const known = linksOf(pairs);
  const come = [];
  for (const pair of wanted) {
    const { copy: uid, code, subcode, tag, correction, comment, explanation } = sideOf(pair, side).dataset;
    const source = pair.dataset[side];
    const words = { code, subcode, tag, correction, comment, explanation };
    come.push({ source, uid, ...words, beside: tag ? besideOf(source, copies, known) : [], ...placesOf(pair)[side] });
    copies.push({ source, name: uid });
  }
  return { come, gone, open: wanted.flatMap(numbersOf) }; // neither of them holds no more
};

/** Neither fragment of pairs is taken: the copies that go, whatever was made of them. */
export const byNeither = (chosen) => {
  const ruled = chosen.flatMap(numbersOf);
  return { ruled, gone: copiesOf(ruled, taken()) };
};
