// The steps of the log as this page has seen them made: what each changed of the marks beside the text, and of what a
// third expert took neither of, and why. By them an undo is painted before its answer. A step somebody else made, and what was
// made before the page was first opened in this tab, it does not know: then the answer paints it.
import { version } from "./sending.js";

const MOST = 200; // steps that are remembered

const desk = () => document.getElementById("desk").dataset;
const shelf = () => `razbor-past-${desk().fragments}`;

let at = null; // {version, found}: the page as the last answer left it
let late = null; // what was kept before one more step, where the page was loaded anew without its answer
let [done, undone] = [[], []]; // steps, the next one last; each a list of [key, before, after]

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What became of which mark, and of which ruling, between two states. */
const difference = (old, fresh) =>
  [...new Set([...old.keys(), ...fresh.keys()])]
    .map((key) => [key, old.get(key) ?? null, fresh.get(key) ?? null])
    .filter(([, was, is]) => !same(was, is));

/** A step the other way. */
export const inverse = (edits) => edits.map(([key, before, after]) => [key, after, before]);

const [RULED, REASON] = ["ruled ", "reason "];

const numberIn = (key, sort) => (String(key).startsWith(sort) ? key.slice(sort.length) : undefined);

/** The fragment of an earlier check that a key says is ruled, or has a reason; nothing where it is about anything else. */
export const ruledIn = (key) => numberIn(key, RULED);
export const reasonIn = (key) => numberIn(key, REASON);

/** Is a key the number of a mark? */
export const isMark = (key) => ruledIn(key) === undefined && reasonIn(key) === undefined;

/** The reasons that are stored, by the fragments of the earlier checks they are about. */
export const reasonsHere = () => new Map([...document.querySelectorAll("#taken > [data-of]")].map((each) => [each.dataset.of, each.textContent]));

/** Marks by their numbers, what is ruled, and why. */
const keyed = (marks, ruled) =>
  new Map([
    ...marks.map((mark) => [mark.number, mark]),
    ...ruled.map((number) => [RULED + number, true]),
    ...[...reasonsHere()].map(([number, words]) => [REASON + number, words]),
  ]);

const keep = () => {
  try {
    sessionStorage.setItem(shelf(), JSON.stringify({ version: at.version, found: [...at.found], done, undone }));
  } catch {
    // known as long as this page
  }
};

const recall = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(shelf()));
    if (kept?.version === at.version) ({ done, undone } = kept);
    else if (kept?.version === at.version - 1) late = kept;
  } catch {
    // nothing is kept in this browser
  }
};

/** What a change is to undoing. */
const kindOf = (path) => ({ [desk().undo]: "undo", [desk().redo]: "redo" })[path] ?? "made";

/** A step back or forth: the one that was next, where it did just what it was known for, and else nothing before it. */
const move = (from, to, edits, turned) => {
  if (from.length && same([...turned(from.at(-1))].sort(), [...edits].sort())) to.push(from.pop());
  else {
    from.length = 0;
    to.splice(0, to.length, turned(edits));
  }
};

const learn = (kind, edits) => {
  if (kind === "undo") move(done, undone, edits, inverse);
  else if (kind === "redo") move(undone, done, edits, (found) => found);
  else {
    done.push(edits);
    done.splice(0, done.length - MOST);
    undone = [];
  }
};

/** A change is answered that was made before what the page has shown since it was loaded anew: that was its step. */
const learnLate = (change) => {
  if (!change || !late || Number(change.since) >= at.version) return;
  ({ done, undone } = late);
  learn(kindOf(change.path), difference(new Map(late.found), at.found));
  late = null;
  keep();
};

/** The page shows these marks by now, and neither fragment of these is taken; ``change``: the one that was answered, if
 * one was. */
export const note = (marks, ruled, change = null) => {
  const before = at;
  at = { version: version(), found: keyed(marks, ruled) };
  if (!before) return recall();
  if (at.version === before.version) return learnLate(change);
  if (change && at.version === before.version + 1) learn(kindOf(change.path), difference(before.found, at.found));
  else [done, undone] = [[], []]; // somebody else was at it
  late = null;
  keep();
};

/** What is left of changes that wait once those among them that undo and redo are made: ``taken``, the known steps of
 * the log that are taken back, last one first, ``made``, what is made after these: changes, or steps of the log, and
 * ``back``, what can be made again, the next one last. */
export const standing = (changes) => {
  const [left, back, taken, made] = [[...done], [...undone], [], []];
  const undo = () => {
    if (made.length) back.push(made.pop());
    else if (left.length) {
      taken.push(left.at(-1));
      back.push(left.pop());
    }
  };
  const redo = () => {
    if (!back.length) return;
    if (!made.length && taken.length && taken.at(-1) === back.at(-1)) left.push(taken.pop());
    else made.push(back.at(-1));
    back.pop();
  };
  for (const change of changes) {
    const kind = kindOf(change.path);
    if (kind === "undo") undo();
    else if (kind === "redo") redo();
    else {
      made.push(change);
      back.length = 0;
    }
  }
  return { taken, made, back };
};

/** The uid of the change among those that wait which one more step, "undo" or "redo", is about; nothing where it is about
 * what the log has. */
export const aim = (changes, kind) => {
  const { made, back } = standing(changes);
  return (kind === "undo" ? made : back).at(-1)?.values?.uid;
};

/** Steps that do not say what they are about, asked for before what stands before them was known: they do now. */
export const aimSteps = (changes) => {
  for (const [at, { path, values }] of changes.entries()) {
    const kind = kindOf(path);
    if (["undo", "redo"].includes(kind)) values.of ??= aim(changes.slice(0, at), kind);
  }
};
