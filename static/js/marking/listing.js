// The list of marks beside the text, and the mistakes of the whole text, while changes wait: rows as
// annotator/templatetags/mark_rows.py and annotator/marking/whole.html write them. A row of the server's says what its
// mark will be, and again what is stored once that is given up.
import { calledBy, choices } from "./palette.js";
import { quote } from "./places.js";

const MOST = 60; // signs of the words of a mark
const TONES = ["block", "isp", "mistake"];
const SPOKEN = ["correction", "comment", "explanation"];
export const WORDS = ["code", "subcode", "tag", ...SPOKEN];

const part = (id) => document.getElementById(id);

const element = (name, words, more = {}) => Object.assign(document.createElement(name), { textContent: words, ...more });

/** The beginning and the end of a long piece of text, in whole words, on one line. */
const excerpt = (text) => {
  const words = text.split(/\s+/u).filter(Boolean).join(" ");
  const signs = [...words];
  if (signs.length <= MOST) return words;
  const [head, tail] = [signs.slice(0, 41).join(""), signs.slice(-16).join("")];
  const beginning = head.slice(0, Math.max(0, head.lastIndexOf(" "))) || signs.slice(0, 40).join("");
  const end = tail.includes(" ") ? tail.slice(tail.indexOf(" ") + 1) : "";
  return `${beginning} … ${end || signs.slice(-15).join("")}`;
};

/** The comment beside a subcode, or what that stands for. */
const remarkOf = ({ code, subcode, comment }) =>
  subcode && (comment || choices().find((each) => each.code === code)?.subcodes.find((each) => each.code === subcode)?.names[0]);

const said = (className, words, more) => (words ? element("span", words, { className, ...more }) : "");

/** Has a mark a place in the text? */
export const isPlaced = ({ start }) => Number.isInteger(start);

const buttonOf = ({ number }, what, parts, more) => {
  const button = element("button", "", { type: "button", ...more });
  Object.assign(button.dataset, { do: what, value: number });
  button.append(...parts.filter(Boolean).flatMap((each, at) => (at ? [" ", each] : [each])));
  return button;
};

const named = (mark) => [element("b", mark.code), mark.subcode, said("called", calledBy(mark))];

const noteOf = (mark) => {
  const { lang } = part("essay");
  const instead = mark.subcode ? "" : said("instead", mark.comment);
  const words = element("q", excerpt(quote(mark)), { lang });
  const fix = said("fix", mark.correction, { lang });
  const remarks = [said("sub", remarkOf(mark)), said("sub", mark.explanation)];
  return buttonOf(mark, "open", [...named(mark), instead, said("tg", mark.tag), words, fix, ...remarks], { className: "note", tabIndex: -1 });
};

/** What opens a mistake of the whole text, with what was written of it. */
const wholeOf = (mark) => buttonOf(mark, "open", [...named(mark), said("sub", mark.comment), said("sub", mark.explanation)]);

/** The button that deletes a mistake of the whole text, after those of the card that stands in. */
const dropOf = (mark) => {
  const { content } = part("stand-in");
  const close = content.querySelector("[data-do=close] svg").cloneNode(true);
  const ariaLabel = `${content.querySelector("[data-do=drop]").textContent} ${mark.code}`;
  return buttonOf(mark, "drop", [close], { ariaLabel });
};

/** The row of a mark as the server would write it. */
const rowOf = (mark) => {
  const row = isPlaced(mark) ? element("li", "", { className: mark.tone }) : element("span", "", { className: "chip set" });
  row.dataset.mark = mark.number;
  for (const name of WORDS) if (mark[name] || !SPOKEN.includes(name)) row.dataset[name] = mark[name] ?? "";
  if (isPlaced(mark)) Object.assign(row.dataset, { start: mark.start, end: mark.end });
  row.append(...(isPlaced(mark) ? [noteOf(mark)] : [wholeOf(mark), dropOf(mark)]));
  return row;
};

/** A mark in the list, until the server has written it; one that was laid back, or is a copy of what an earlier check
 * has, is known with all its words. */
const pendingOf = (mark) => {
  const row = rowOf(mark);
  if (mark.rank !== undefined) Object.assign(row.dataset, { pending: "back", rank: mark.rank });
  else if (mark.source) Object.assign(row.dataset, { pending: "taken", source: mark.source });
  else row.dataset.pending = "made";
  return row;
};

const ours = new WeakMap(); // row -> as it was written here

/** The rows of marks without a number yet: those that are there and say the same stay, for somebody may be pressing one. */
export const pendingRows = (marks) => {
  const before = [...document.querySelectorAll(":is(#marks, #whole) > [data-pending]")];
  const rows = marks.map((mark) => {
    const fresh = pendingOf(mark);
    const kept = before.find((row) => ours.get(row) === fresh.outerHTML);
    if (!kept) ours.set(fresh, fresh.outerHTML);
    return kept ?? fresh;
  });
  for (const row of before) if (!rows.includes(row)) row.remove();
  return rows;
};

// ── rows of the server's that say what waits ────────────────────────────────

const written = new Map(); // row -> {stored: as the server has written it, says: what it says instead}

/** A row as the server has written it. */
export const stored = (row) => written.get(row)?.stored ?? row;

const toneIn = ({ classList }) => TONES.find((tone) => classList.contains(tone)) ?? "mistake";

/** The rows the server has written, whatever they say. */
export const rows = () => ["marks", "whole"].flatMap((id) => [...part(id).querySelectorAll(":scope > [data-mark]:not([data-pending])")]);

const become = (row, model) => {
  for (const name of Object.keys(row.dataset)) delete row.dataset[name];
  Object.assign(row.dataset, model.dataset);
  row.classList.replace(toneIn(row), toneIn(model));
  row.firstElementChild.replaceChildren(...model.firstElementChild.cloneNode(true).childNodes);
};

/** What the server has written of a mark: {number, start, end, tone, and its words}. */
export const markIn = (row) => {
  const { dataset, classList } = stored(row);
  const words = WORDS.map((name) => [name, dataset[name] ?? ""]);
  const place = { number: Number(dataset.mark), start: Number(dataset.start), end: Number(dataset.end) };
  return { ...place, ...Object.fromEntries(words), tone: toneIn({ classList }) };
};

const inShort = (mark) => JSON.stringify(["start", "end", "tone", ...WORDS].map((name) => mark[name]));

/** A row says this of its mark; what the server has written where it is the same. True where it said something else. */
export const tell = (row, mark) => {
  const says = inShort(mark);
  const original = inShort(markIn(row));
  if ((written.get(row)?.says ?? original) === says) return false;
  if (original === says) {
    become(row, stored(row));
    written.delete(row);
  } else {
    written.set(row, { stored: written.has(row) ? stored(row) : row.cloneNode(true), says });
    become(row, rowOf(mark));
  }
  return true;
};

/** Does any row on the page say what waits? */
export const isTelling = () => {
  for (const row of written.keys()) if (!row.isConnected) written.delete(row);
  return written.size > 0;
};
