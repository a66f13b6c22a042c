// Type-ahead over codes: what was typed -> the codes and subcodes it may mean, best first.
//
// A code is {code, names: [..], subcodes: [{code, names: [..]}]}; names are descriptions in every
// language. Letters typed on the other keyboard layout mean the same keys.

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`/";
const CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё.";

/** The same keys on a Russian keyboard. */
export const asCyrillic = (text) =>
  [...text].map((sign) => CYRILLIC[LATIN.indexOf(sign)] ?? sign).join("");

const fold = (text) => text.toLowerCase().replaceAll("ё", "е");

/** «А.грамм» -> «грамм»: the letter of the subject is the same in all codes. */
const body = (code) => code.replace(/^[^.]\./u, "");

/** How well a word fits what is said of a code: less is better, null is not at all. */
const fitNames = (word, names) => {
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
    add(sub.code, part !== null ? own + part : alone === null ? null : alone + 5);
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
