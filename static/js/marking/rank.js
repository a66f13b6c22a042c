// Type-ahead over codes: what was typed -> the codes and subcodes it may mean, best first.
//
// A code is {code, names: [..], subcodes: [{code, names: [..]}]}; names are descriptions in every
// language. Letters typed on the other keyboard layout mean the same keys.

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё";

/** The same keys on a Russian keyboard. */
export const asCyrillic = (text) =>
  [...text].map((sign) => CYRILLIC[LATIN.indexOf(sign)] ?? sign).join("");

const fold = (text) => text.toLowerCase().replaceAll("ё", "е");

/** «А.грамм» -> «грамм»: the letter of the subject is the same in all codes. */
const body = (code) => code.replace(/^[^.]\./u, "");

/** How well a word fits a code: less is better, null is not at all. */
const fit = (word, code, names) => {
  const [whole, short] = [fold(code), body(fold(code))];
  if (short.startsWith(word) || whole.startsWith(word)) return whole === word || short === word ? 0 : 1;
  if (short.includes(word)) return 2;
  const words = names.flatMap((name) => fold(name).split(/[^\p{L}\p{N}]+/u));
  if (words.some((each) => each.startsWith(word))) return 3;
  return names.some((name) => fold(name).includes(word)) ? 4 : null;
};

const hitsOf = (words, each) => {
  const [first, ...rest] = words;
  const own = fit(first, each.code, each.names);
  const hits = [];
  if (own !== null && rest.length === 0) hits.push({ code: each.code, subcode: "", score: own });
  const wanted = rest.length ? rest.join(" ") : first;
  for (const sub of each.subcodes) {
    const part = fit(wanted, sub.code, sub.names);
    if (part === null) continue;
    if (rest.length && own !== null) hits.push({ code: each.code, subcode: sub.code, score: own + part });
    else if (!rest.length) hits.push({ code: each.code, subcode: sub.code, score: 5 + part });
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
