// Words, signs and their borders in a text of code points: pure functions, no page needed.
//
// A text is an array of code points, as Python counts them; an offset is an index into it.

/** The code points of a string. */
export const signsOf = (text) => [...text];

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const INNER = /[-'’]/u;
const SPACE = /\s/u;

const isSpace = (sign) => sign !== undefined && SPACE.test(sign);

/** Does the sign at an offset belong to a word? An inner hyphen or apostrophe does. */
export const inWord = (signs, at) => {
  if (at < 0 || at >= signs.length) return false;
  if (LETTER.test(signs[at])) return true;
  return INNER.test(signs[at]) && at > 0 && LETTER.test(signs[at - 1]) && LETTER.test(signs[at + 1] ?? "");
};

/** Where the word around an offset begins; the offset itself outside words. */
export const wordStart = (signs, at) => {
  let start = at;
  while (start > 0 && inWord(signs, start - 1)) start -= 1;
  return start;
};

/** Where the word around an offset ends; the offset itself outside words. */
export const wordEnd = (signs, at) => {
  let end = at;
  while (end < signs.length && inWord(signs, end)) end += 1;
  return end;
};

/** The next border of a word in a direction: 1 to the end of a word, -1 to the beginning of one. */
export const stepWord = (signs, at, direction) => {
  let place = at;
  if (direction > 0) {
    while (place < signs.length && isSpace(signs[place])) place += 1;
    if (place === signs.length) return place;
    return inWord(signs, place) ? wordEnd(signs, place) : place + 1;
  }
  while (place > 0 && isSpace(signs[place - 1])) place -= 1;
  if (place === 0) return 0;
  return inWord(signs, place - 1) ? wordStart(signs, place) : place - 1;
};

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;
const REACH = 32; // signs looked at around an offset: no cluster people type is longer

/** The next offset at which a reader sees another character (emoji and accents are one). */
export const stepSign = (signs, at, direction) => {
  const next = at + direction;
  if (next <= 0 || next >= signs.length || !segmenter) return Math.min(Math.max(next, 0), signs.length);
  const from = direction > 0 ? at : Math.max(0, at - REACH);
  const piece = signs.slice(from, direction > 0 ? at + REACH : at).join("");
  const clusters = [...segmenter.segment(piece)].map((each) => signsOf(each.segment).length);
  return direction > 0 ? at + clusters[0] : at - clusters.at(-1);
};

/** A place without white space at its ends; null when nothing is left. */
export const trim = (signs, start, end) => {
  let [first, last] = [start, end];
  while (first < last && isSpace(signs[first])) first += 1;
  while (last > first && isSpace(signs[last - 1])) last -= 1;
  return first < last ? { start: first, end: last } : null;
};

/** A place widened to whole words. Signs between words, such as a comma, may stand alone. */
export const snap = (signs, start, end) => {
  const place = trim(signs, start, end);
  if (!place) return null;
  return {
    start: inWord(signs, place.start) ? wordStart(signs, place.start) : place.start,
    end: inWord(signs, place.end - 1) ? wordEnd(signs, place.end) : place.end,
  };
};
