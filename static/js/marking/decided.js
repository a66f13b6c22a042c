// What a third expert has decided by now: what the server says in #taken, and what waits made on top of it. A step of
// the log that is taken back, or made again, counts before its answer.
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

/** What a mark goes by on this page: one that waits has a number of its own. */
export const numberOf = (name) => {
  const pending = [...document.querySelectorAll(":is(#marks, #whole) > [data-pending]")].map(({ dataset }) => dataset.mark);
  return pending.find((number) => nameOfMark(number) === name) ?? name;
};
