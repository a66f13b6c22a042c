// The third expert's desk beside the text: the pairs of the two earlier checks. One key takes a
// fragment of either; what is taken by now, the server says in #taken.
import * as active from "./active.js";
import * as caret from "./caret.js";
import * as changes from "./changes.js";
import * as decided from "./decided.js";
import { numbersOf, other, placesOf } from "./decided.js";
import { endsOf, intoView, shine } from "./places.js";
import * as sending from "./sending.js";
import * as waiting from "./waiting.js";

const part = (id) => document.getElementById(id);
const desk = () => part("settling");
const pairs = () => [...document.querySelectorAll("#pairs > .pair")];
const shown = () => pairs().filter((pair) => !pair.hidden);
const reasonOf = (pair) => pair.querySelector("[data-reason]");

let here = null; // the pair that keys are about

/** What a pair is about, in a list. */
const wordsOf = (pair) => pair.querySelector(".pair-words > :last-child").textContent;

const isTaken = (pair, own) => own.has(pair.dataset.first) || own.has(pair.dataset.second);

const isDecided = (pair) => pair.classList.contains("decided");

const undecided = () => pairs().filter((pair) => !isDecided(pair));

// ── what is shown ───────────────────────────────────────────────────────────

const belongs = (pair) => {
  const wanted = part("shown").value;
  return !wanted || (wanted === "undecided" ? !isDecided(pair) : pair.dataset.state === wanted);
};

const givenFor = (pair, reasons) => numbersOf(pair).map((number) => reasons.get(number)).find(Boolean) ?? "";

/** The reason that is given, unless another one is being typed. */
const showReason = (pair, reasons) => {
  const field = reasonOf(pair);
  const given = givenFor(pair, reasons);
  if (field.value === field.defaultValue) field.value = given;
  field.defaultValue = given;
};

/** Show what is decided by now; what waits counts. */
export const redraw = () => {
  if (!part("pairs")) return;
  const own = decided.taken();
  const decisions = decided.ruled();
  const reasons = decided.reasons();
  for (const pair of pairs()) {
    const isRuled = numbersOf(pair).some((number) => decisions.has(number));
    for (const button of pair.querySelectorAll(".take")) {
      button.setAttribute("aria-pressed", String(own.has(pair.dataset[button.dataset.side])));
    }
    pair.querySelector(".neither").setAttribute("aria-pressed", String(isRuled && !isTaken(pair, own)));
    pair.classList.toggle("decided", isTaken(pair, own) || isRuled);
    showReason(pair, reasons);
    pair.hidden = pair !== here && !belongs(pair);
  }
  for (const name of ["undecided", "open-count", "open-left", "open-here"]) part(name).textContent = undecided().length;
  part("open-line").hidden = !undecided().length;
  part("decided").value = pairs().length - undecided().length;
  drawGhosts();
};

/** What is not decided yet shows in the text: the first check above the words, the second below; blocks by their ends. */
const drawGhosts = () => {
  for (const side of ["first", "second"]) {
    const { blocks, others } = decided.ghostsOf(undecided(), side);
    shine(`ends-${side}`, blocks.flatMap(endsOf));
    shine(`ghost-${side}`, others);
  }
};

/** What the server has of the pair a change is about: the copies that were taken, or that neither is. */
const pairThere = ({ values: { sources = "", instead_of: instead = "", fragments = "" } }) => {
  const numbers = `${sources} ${instead} ${fragments}`.split(" ").filter(Boolean);
  const stored = part("taken").dataset;
  const own = new Map(stored.taken.trim().split(" ").map((each) => each.split(":")));
  const marks = numbers.map((number) => own.get(number)).filter(Boolean).map(waiting.markInWords);
  const isRuled = numbers.some((number) => stored.ruled.trim().split(" ").includes(number));
  const about = pairs().filter((pair) => numbersOf(pair).some((number) => numbers.includes(number)));
  return marks.join("; ") || (isRuled ? changes.called("neither", about.map(wordsOf).join(", ")) : "");
};

/** After a change that was not made here, what is taken may be otherwise. */
const follow = async () => {
  const { version, address } = part("taken").dataset;
  if (version !== part("saved").dataset.version) {
    const answer = await fetch(address).catch(() => null); // says nothing of what is saved
    const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
    const fresh = page.getElementById("taken");
    const isNewer = Number(fresh?.dataset.version) > Number(part("taken").dataset.version); // an answer may have overtaken it
    if (isNewer) part("taken").replaceWith(fresh);
    if (isNewer && !sending.isSaved()) sending.tell();
  }
  redraw();
};

const light = ({ first, second }) => {
  shine("first", [first].filter(Boolean));
  shine("second", [second].filter(Boolean));
};

/** Do the pairs stand in a sheet below the text? On a narrow window they do once one goes to a pair. */
const isBelow = () => getComputedStyle(desk()).position === "fixed";

const reveal = (place) => intoView(place, ...(isBelow() ? [changes.lowest() - 16] : []));

const shut = () => part("desk").classList.remove("pairing");

/** The pair that one is at is in sight in its list, and what is around the list in its place: a tall one from its head on. */
const keepInSight = () => {
  if (!here) return;
  if (isBelow()) {
    changes.lift(); // the sheet may have grown
    here.scrollIntoView({ block: "start" });
    if (!here.previousElementSibling) desk().scrollTop = 0; // with what decides many pairs above the first one
    return;
  }
  const [list, pair] = [part("pairs"), here].map((each) => each.getBoundingClientRect());
  const [up, down] = [pair.top - list.top, Math.max(0, pair.bottom - list.bottom)];
  part("pairs").scrollTop += Math.min(up, down);
};

/** Go to a pair; ``isAt`` its words somebody is already. */
const go = (pair, { isAt = false } = {}) => {
  if (!pair) return;
  here = pair;
  part("desk").classList.add("pairing");
  for (const each of pairs()) {
    each.classList.toggle("here", each === pair);
    each.querySelector(".pair-words").tabIndex = each === pair ? 0 : -1;
    for (const button of each.querySelectorAll(".take, .neither")) button.tabIndex = each === pair ? 0 : -1;
  }
  const places = placesOf(pair);
  const place = places.first ?? places.second;
  light(places);
  if (place && !isAt) caret.put(place.start);
  const own = decided.taken();
  const name = own.get(pair.dataset.first) ?? own.get(pair.dataset.second);
  active.goTo(name ? decided.numberOf(name) : null);
  if (place && !isAt) reveal(place);
  if (!isBelow()) pair.scrollIntoView({ block: "nearest" });
  keepInSight();
  if (document.activeElement?.closest("#pairs")) pair.querySelector(".pair-words").focus();
  active.say([".pair-words", ".sides"].map((name) => pair.querySelector(name).innerText).join(" "));
};

/** The next or the previous pair; the first one that is not decided, where there is none yet. */
const step = (direction) => {
  const all = shown();
  const next = here ? all.indexOf(here) + direction : Math.max(0, all.findIndex((pair) => !isDecided(pair)));
  go(all[(next + all.length) % all.length]);
};

/** The next pair that is not decided; the next one of all, where every one is. */
const stepUndecided = () => {
  const all = shown();
  const after = here ? all.indexOf(here) + 1 : 0;
  const open = [...all.slice(after), ...all.slice(0, after)].find((pair) => !isDecided(pair));
  if (open) go(open);
  else step(1);
};

const sizeOf = (place) => place.end - place.start;

/** The pairs with undecided words at an offset, inner before outer. */
const pairsAt = (at) => {
  const places = (pair) => Object.values(placesOf(pair)).filter((place) => place && place.start <= at && at < place.end);
  const found = undecided().filter((pair) => places(pair).length);
  return found.sort((one, another) => sizeOf(places(one)[0]) - sizeOf(places(another)[0]));
};

/** A tap on words that are undecided leads to their pair, once more to their letters; true when it was spent. */
export const onTap = (at) => {
  const found = pairsAt(at);
  if (!found.length || (isBelow() && found.includes(here))) return false;
  go(found[0]);
  return true;
};

/** A press of the mouse on such words leads to their pair, once more to that around it; they stay where they are in sight. */
export const onPress = (at) => {
  const found = at === null ? [] : pairsAt(at);
  go(found[(found.indexOf(here) + 1) % found.length], { isAt: true });
  if (found.length && isBelow()) reveal({ start: at, end: at + 1 });
};

/** One step back: true when there was something to leave. */
export const leave = () => {
  const wasBelow = isBelow();
  shut();
  return wasBelow;
};

// ── the changes ─────────────────────────────────────────────────────────────

/** Take the fragments of one side of pairs, in place of untouched copies of the other side. */
const takeAll = (chosen, side) => {
  const own = decided.taken();
  const given = chosen.filter((pair) => pair.dataset[side]);
  const wanted = given.filter((pair) => !own.has(pair.dataset[side]));
  if (!wanted.length) return changes.explain(given.length ? desk().dataset.already : desk().dataset.nothing);
  const numbers = (name) => wanted.map((pair) => pair.dataset[name]).filter(Boolean).join(" ");
  const words = changes.called("taken", wanted.map(wordsOf).join(", "));
  const values = { sources: numbers(side), instead_of: numbers(other(side)) };
  return changes.send(desk().dataset.take, values, words, decided.byTaking(wanted, side, pairs()));
};

/** The copy of a side of a pair is what keys are about. */
const activateCopy = (pair, side) => {
  const name = decided.taken().get(pair.dataset[side]);
  if (name) active.activate(decided.numberOf(name));
};

const take = async (pair, side) => {
  if (!pair) return step(1);
  if (pair !== here) go(pair);
  const sent = takeAll([pair], side);
  activateCopy(pair, side);
  await sent;
  if (pair === here && active.activeMark() === null) activateCopy(pair, side); // by its own number, unless one went on
};

/** Of many pairs, those that are decided stay as they are. */
const takeAgreed = () => {
  takeAll(undecided().filter((pair) => pair.dataset.state === "same"), "first");
};

const takeShown = (side) => takeAll(shown().filter((pair) => !isDecided(pair)), side);

/** Neither fragment of a pair: what was taken of it goes. Asked once more, the pair is undecided again. */
const neither = (pair) => {
  if (!pair) return step(1);
  if (pair !== here) go(pair);
  if (pair.querySelector(".neither").getAttribute("aria-pressed") === "true") return takeBack([pair]);
  return settleAsNeither([pair]);
};

const rule = (chosen, words, shows, more = {}) =>
  changes.send(desk().dataset.neither, { fragments: chosen.flatMap(numbersOf).join(" "), ...more }, words, shows);

const settleAsNeither = (chosen) => {
  const words = changes.called("neither", chosen.map(wordsOf).join(", "));
  const shows = decided.byNeither(chosen);
  const gone = shows.gone.map(({ name }) => decided.numberOf(name));
  return changes.parting(gone, () => rule(chosen, words, shows));
};

const takeBack = (chosen) => {
  const words = changes.called("neither", chosen.map(wordsOf).join(", "));
  return rule(chosen, `${changes.called("undo", "")}: ${words}`, { open: chosen.flatMap(numbersOf) }, { taken_back: 1 });
};

/** What becomes of the pairs that are undecided? */
const askAboutRest = () => {
  if (undecided().length) part("open-pairs").showModal();
  else changes.explain(desk().dataset.decided);
};

/** Show the pairs of one sort, or all, from the head of their list. */
const list = (sort) => {
  part("shown").value = sort;
  part("pairs").scrollTop = 0;
  redraw();
};

const goToUndecided = () => {
  list("");
  go(undecided()[0]);
  here.querySelector(".pair-words").focus();
};

/** Before the check is handed in, the list has what is left to decide; in its place, not over the sheet. */
const showUndecided = () => {
  if (isBelow()) shut();
  if (!undecided().length) return;
  list("undecided");
  keepInSight();
};

let asker = null; // the button of the sheet that led to the question

const settleRest = async (button) => {
  await settleAsNeither(undecided());
  if (sending.isSaved()) active.say(desk().dataset.decided);
  if (part("submission").hidden) part("to-submit").click();
  await sending.bring("submission");
  (button ?? part("hand-in")).focus();
};

const onAnswer = ({ target }) => {
  if (target.returnValue === "go") goToUndecided();
  else if (target.returnValue === "rest") settleRest(asker);
  target.returnValue = "";
  asker = null;
};

let isComplete = false; // every pair is decided: the check may go

/** Before the check is handed in, what was decided last must have arrived. */
const onSubmit = async (event) => {
  if (isComplete) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  await new Promise((resolve) => setTimeout(resolve)); // within its event a form is not submitted again
  await sending.settled();
  await follow();
  if (undecided().length && sending.isSaved()) {
    asker = event.submitter;
    return askAboutRest();
  }
  isComplete = true;
  part("submit").requestSubmit(event.submitter);
  isComplete = false;
};

const explain = () => {
  if (!here) step(1);
  if (here) reasonOf(here).focus({ preventScroll: true }); // it is in sight with the pair
};

const onReason = (event) => {
  const pair = event.target.closest("#pairs .pair");
  if (!pair || !event.target.matches("[data-reason]")) return;
  const [fragments, reason] = [numbersOf(pair).join(" "), event.target.value.trim()];
  event.target.value = reason;
  if (reason === givenFor(pair, decided.reasons())) return; // nothing to undo comes of it
  event.target.defaultValue = reason;
  changes.send(desk().dataset.reasons, { fragments, reason }, `${wordsOf(pair)}: ${reason || "–"}`);
};

const onReasonKey = (event) => {
  if (event.key === "Enter" && event.target.matches("[data-reason]")) caret.enter();
};

export const COMMANDS = {
  KeyN: stepUndecided,
  KeyP: () => step(-1),
  Digit1: () => take(here, "first"),
  Digit2: () => take(here, "second"),
  Digit0: () => neither(here),
  KeyX: askAboutRest,
  KeyA: takeAgreed,
  KeyR: explain,
};

export const BUTTONS = {
  pair: (number) => go(pairs().find((pair) => pair.dataset.number === number)),
  take: (_value, button) => take(button.closest(".pair"), button.dataset.side),
  neither: (_value, button) => neither(button.closest(".pair")),
  agreed: takeAgreed,
  rest: askAboutRest,
  undecided: goToUndecided,
  "next-pair": stepUndecided,
  "shut-pairs": shut,
  shown: takeShown,
};

/** Start: everything is on the page. */
export const begin = () => {
  if (!part("pairs")) return;
  waiting.tellPairsBy(pairThere);
  part("desk").addEventListener("marks-renewed", follow);
  part("desk").addEventListener("given-up", redraw);
  part("shown").addEventListener("change", () => {
    here = null;
    light({});
    list(part("shown").value);
  });
  part("open-pairs").addEventListener("close", onAnswer);
  part("desk").addEventListener("sheet-opened", showUndecided);
  part("submit").addEventListener("submit", onSubmit, { capture: true });
  desk().addEventListener("change", onReason);
  desk().addEventListener("keydown", onReasonKey);
  new ResizeObserver(keepInSight).observe(desk());
  new ResizeObserver(() => isBelow() || keepInSight()).observe(part("pairs")); // a notice takes room of it
  redraw();
};
