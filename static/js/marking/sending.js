// What goes to the server, and what waits: a change is kept by the browser until the head of its answer says that it is
// stored, and its uid makes it once. Changes go in turn, from one tab at a time, with the version their page showed.
// One that meets the same made elsewhere waits until somebody decides; the others go on.
import { inform } from "./active.js";

const RETRY = 4_000; // milliseconds to the next attempt without a network; a key or a press does not wait so long
const PATIENCE = 30_000; // for an answer; the uid of a change makes it once, however often it is sent
const SHUT = ["offline", "login"]; // while it is so nothing gets through
const STORED = "X-Stored"; // asked for with a change; answered with the version it is stored as

const part = (id) => document.getElementById(id);
const desk = () => part("desk");
export const shelf = () => `razbor-waiting-${desk().dataset.person}-${desk().dataset.fragments}`;
export const version = () => Number(part("saved").dataset.version);

/** The version somebody has seen of what an address is about: a card may be newer than the page around it. */
export const sinceFor = (path) => {
  const { open, version: seen } = part("cards").dataset;
  return subjectOf(path) === open ? Math.max(version(), seen ?? 0) : version();
};

let asked = Promise.resolve();
let waiting = []; // changes without an answer, oldest first: {path, values, words, held, stuck, since, stored}
let shut = null; // why nothing gets through: "offline", "login"; null while the way is free
let answering = null; // the change that is at the server now
let [status, timer] = [0, 0]; // of the last answer to a change, 0 for none; to the next attempt
let isKept = true; // what waits stays when the page is closed
let [onAnswer, onWaiting, onTold] = [() => {}, () => {}, () => {}];
let known = {
  aim: () => undefined,
  showHeld: () => {},
  onTheWay: (changes, path) => Object.assign({}, ...changes.filter((each) => each.path === path).map(({ values }) => values)),
};

const inTurn = (request) => (asked = asked.then(request, request)); // htmx would drop a request that meets two others

/** What the server does not have yet; of a change it has, the page may still show too little. */
export const unstored = () => waiting.filter((change) => !change.stored);
const held = () => unstored().filter((change) => change.held);
const stuck = () => waiting.filter((change) => change.stuck);

/** Why some are held: "offline", "login", "conflict", "gone", "closed"; null when none is. */
const why = () => shut ?? (stuck().some((change) => change.stuck === "conflict") ? "conflict" : (stuck()[0]?.stuck ?? null));

/** What waits is kept by the browser, or only by this page: one truth wherever it is said. */
export const tellKept = (place) => {
  for (const each of place.querySelectorAll("[data-kept], [data-not-kept]")) each.hidden = "kept" in each.dataset !== isKept;
};

const state = (name) => {
  if (!part("saved")) return;
  part("saved").dataset.state = name;
  tellKept(part("saved"));
  for (const each of part("saved").querySelectorAll("[data-left]")) each.textContent = unstored().length || "";
};

// ── what waits is said and kept ─────────────────────────────────────────────

export const newId = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

export const page = newId(); // two pages of one check keep apart what waits

/** Run something while no other tab of this browser does the same; at once where there are no locks. */
const alone = (name, run) => (navigator.locks ? navigator.locks.request(`${name}-${shelf()}`, run) : run());

const keep = () => {
  const name = shelf() + page;
  try {
    if (unstored().length) localStorage.setItem(name, JSON.stringify({ at: Date.now(), changes: unstored() }));
    else localStorage.removeItem(name);
    isKept = true;
  } catch {
    isKept = false; // what waits lasts as long as this page
  }
};

const REFUSED = "#desk[data-refused], #stated [aria-invalid=true]"; // what the server did not take

/** The mark an address is about; the address itself where it is about none. */
const subjectOf = (path) => path.match(/\/fragments\/([^/]+)\//)?.[1] ?? path;

/** What a change is about: its mark, those it links, fragments of earlier checks and their copies; else its address. */
export const subjectsOf = ({ path, values, shows }) => {
  if (subjectOf(path) !== path) return [subjectOf(path)];
  const { sources, instead_of: instead, fragments, first, second } = values;
  const copies = (shows?.come ?? []).map(({ uid }) => uid);
  const found = [sources, instead, fragments, first, second].filter(Boolean).flatMap((names) => String(names).split(" "));
  return found.length ? [...found, ...copies] : [path];
};

/** Are two changes about the same? */
const meet = (one, other) => subjectsOf(one).some((subject) => subjectsOf(other).includes(subject));

/** Say what waits and why. */
export const tell = () => {
  const left = unstored();
  const reason = shut === "offline" && !left.length ? null : why(); // parts of the page alone are missing
  keep();
  state(reason ?? (left.length ? "saving" : document.querySelector(REFUSED) ? "refused" : "saved"));
  known.showHeld(left);
  onTold(reason, reason && !shut ? stuck() : held(), isKept);
};

/** After a change: what waits still is kept, and said. */
const tellRest = () => {
  keep();
  if (why() || !unstored().length) tell();
  else state("saving");
};

/** ``given`` knows the steps that are taken back: it shows in the text which marks wait, and what is on its way, at once. */
export const goBy = (given) => {
  known = given ?? known;
  given?.aimSteps(comingChanges());
  onWaiting();
  known.showHeld(unstored());
};

export const unanswered = () => waiting;

// ── asking the server ───────────────────────────────────────────────────────

const ask = async (verb, path, values) => {
  status = 0;
  await htmx.ajax(verb, path, { target: "#cards", swap: "none", values }).catch(() => {});
  if (status === 200 && answering?.stored && Number(answering.stored) > version()) status = 0; // the answer was cut off after its head
  if (answering && !obstacle()) waiting = waiting.filter((each) => each !== answering);
  onAnswer(answering, status);
};

/** Why a change with this answer is held; null where it was made, or refused with its reason. */
const obstacle = () => {
  if (status === 0 || status === 429 || status >= 500) return "offline";
  if (status === 286 || status === 403) return "login";
  if (status === 409) return "conflict";
  return status < 400 || status === 422 ? null : "gone";
};

const shutBy = (reason) => {
  shut = reason;
  for (const each of waiting) each.held = true;
  clearTimeout(timer);
  if (reason === "offline") timer = setTimeout(retry, RETRY * (0.8 + Math.random() / 5)); // not everybody at one moment
};

/** A change and what was done to the same mark after it wait for one decision. */
const holdFrom = (change, reason) => {
  if (change.stored || !waiting.includes(change)) return; // nobody has to decide
  const same = waiting.slice(waiting.indexOf(change)).filter((each) => each.path !== desk().dataset.fragments && meet(each, change));
  for (const each of new Set([change, ...same])) Object.assign(each, { held: true, stuck: reason });
};

/** A change meets the same made elsewhere, or nothing: it waits. */
const strand = async (reason, change) => {
  holdFrom(change, reason);
  await ask("GET", desk().dataset.parts, { card: part("cards").dataset.open ?? "" });
  holdFrom(change, reason); // what was done until the page had caught up is no question of its own
  if (SHUT.includes(obstacle())) shutBy(obstacle());
  else if (change.stored) waiting = waiting.filter((each) => each !== change);
  if (!["conflict", "gone"].includes(obstacle())) return;
  for (const each of waiting) Object.assign(each, { held: true, stuck: "closed" }); // the whole check, or it is withdrawn
  onWaiting();
  desk().dispatchEvent(new CustomEvent("check-closed"));
};

/** Send the change that is the next one by now: it may have been given up while another tab was sending. */
const sendNext = async () => {
  const change = waiting.find((each) => !each.held);
  if (!change) return;
  const values = { ...change.values, version: change.since, shown: version() };
  const { open = "" } = part("cards").dataset;
  if (values.card && values.card !== open) Object.assign(values, { card: open, quiet: 1 }); // it was shut meanwhile
  answering = change;
  await ask("POST", change.path, values).finally(() => (answering = null));
  const found = obstacle();
  if (SHUT.includes(found)) shutBy(found);
  else if (found) await strand(found, change);
  tellRest();
};

/** One attempt is in the queue for each change, whichever has come before it meanwhile. */
const attempt = () => {
  if (unstored().length > held().length) state("saving");
  return alone("razbor-sending", sendNext);
};

/** The head of an answer says that its change is stored: it waits no more. What is cut off after it is asked for anew. */
const hearHead = ({ detail: { xhr } }) => {
  const change = answering;
  xhr.addEventListener("readystatechange", () => {
    if (!change || change.stored || xhr.readyState !== xhr.HEADERS_RECEIVED) return;
    change.stored = xhr.getResponseHeader(STORED);
    if (!change.stored) return;
    part("saved").querySelector("time").textContent = xhr.getResponseHeader("X-Saved-At");
    desk().dispatchEvent(new CustomEvent("change-stored", { detail: change.stored }));
    tellRest();
  });
};

/** Would a change write anew a field somebody is asked about, of a mark or of the own points? It waits for the same. */
const isAskedAbout = (path, values) => {
  if (subjectOf(path) === path && path !== part("stated")?.dataset.address) return false;
  const names = Object.keys(values).filter((name) => !["page", "card", "quiet"].includes(name));
  const meets = (change) => change.path === path && names.some((name) => name in change.values);
  return stuck().some((change) => change.stuck === "conflict" && meets(change));
};

/** Send a change; changes go one after another. Its uid makes it once, however often it is sent; ``words`` tell what it
 * does, ``shows`` what the page shows of it meanwhile, where that is not in its values. */
export const send = (path, values = {}, words = null, shows = null) => {
  const named = { uid: newId(), ...values };
  const closed = why() === "closed" ? "closed" : null;
  const reason = isAskedAbout(path, values) ? "conflict" : closed;
  const change = { path, values: named, words, shows, held: Boolean(shut ?? reason), stuck: reason, since: sinceFor(path) };
  waiting.push(change);
  keep();
  onWaiting();
  if (change.held || !isKept) tell();
  else state("saving");
  return change.held ? asked : inTurn(attempt);
};

/** The changes the page may show as made already. */
export const comingChanges = () => waiting.filter((change) => !change.stuck);

export const review = () => part("saved") && !waiting.length && tell();

/** Ask for a part of the page, when its turn comes and it is still ``wanted``. */
export const look = (path, values, wanted) =>
  inTurn(async () => {
    if (!wanted()) return 0;
    await ask("GET", path, values);
    review();
    return status;
  });

/** Make the changes that wait: all of them, of those that met the same made elsewhere the next mark's. */
export const again = () => {
  const reason = why();
  if (!reason || reason === "closed") return asked;
  shut = null;
  const changes = reason === "conflict" ? atStake() : waiting.filter((each) => each.held && (reason === "gone" || !each.stuck));
  for (const change of changes) {
    if (change.stuck) change.since = version(); // what it meets was seen
    Object.assign(change, { held: false, stuck: null });
    inTurn(attempt);
  }
  if (!changes.length) tell();
  onWaiting();
  return asked;
};

/** The changes of the mark that is to be decided about next. */
const atStake = () => {
  const [first] = stuck().filter((change) => change.stuck === "conflict");
  return stuck().filter((each) => meet(each, first));
};

const mayGo = (reason) => {
  if (reason === "conflict") return atStake();
  if (shut) return held();
  return reason ? stuck() : unstored().filter((change) => change !== answering); // being tried once more
};

/** Give up the changes that wait, of those in conflict the next mark's; they are returned. */
export const giveUp = () => {
  const reason = why();
  const changes = mayGo(reason);
  waiting = waiting.filter((change) => !changes.includes(change));
  if (!waiting.length) shut = null;
  onWaiting();
  tell();
  return changes;
};

const retry = () => {
  if (SHUT.includes(why())) again();
  if (navigator.locks) adopt();
};

/** Somebody is there: what waits for the network is tried at once, unless the server asked for patience. */
export const reconnect = () => shut === "offline" && status !== 429 && retry();

export const settled = async () => {
  for (let last = null; last !== asked; ) await (last = asked);
};

/** Is the page as the server has it? Not while a change waits. */
export const isSaved = () => part("saved").dataset.state === "saved" && !waiting.length;

/** Would a change be lost with the page? Not while the browser keeps it. */
export const mayBeLost = () => unstored().length > 0 && !isKept;

/** What the changes on their way, and those that wait, say of a mark by its address. */
export const onTheWay = (path) => known.onTheWay(waiting, path);

/** What a step asked for now, "undo" or "redo", is about, where that waits itself: should it not be made, neither is the step. */
export const aim = (kind) => {
  const of = known.aim(comingChanges(), kind);
  return of && { of };
};

/** What the change that is being answered says of a mark by its address. */
export const inAnswer = (path) => (answering?.path === path ? answering.values : {});

/** Was the change that is being answered made on a page that is gone? */
export const isLeft = () => Boolean(answering?.left);

/** The card that was open when the change was made that is being answered; nothing where none was, or it is refused. */
export const cardThen = () => (status === 422 ? undefined : answering?.values.card);

/** The key of this browser's forms: it changes with every login, also in another tab. */
export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

/** Is a request a change, or asks for a card or the page anew? Then its answer is minded here. */
const isOwnMatter = ({ verb, path }) => verb === "post" || path === desk().dataset.parts || path.startsWith(desk().dataset.fragments);

const onAnswered = (event) => {
  const { requestConfig, xhr } = event.detail;
  if (isOwnMatter(requestConfig)) status = xhr.status;
  if (!part("saved") || !xhr.getResponseHeader("HX-Redirect")) return;
  event.preventDefault(); // to go to the login page would take along what was typed
  if (answering) return;
  shutBy("login");
  tell();
};

// ── what comes only once it is needed, and what does not come ──────────────

const coming = new Map(); // name -> the module, or the promise of it
const failures = new Map(); // name -> how often it did not come

const load = (name) => {
  const failed = failures.get(name) ?? 0;
  const { href } = new URL(JSON.parse(desk().dataset.scripts)[name], location.href);
  return import(`${href}${failed ? `?${failed}` : ""}`).catch((failure) => {
    failures.set(name, failed + 1); // browsers remember a failed address
    coming.delete(name);
    throw failure;
  });
};

const promised = (name) => {
  if (!coming.has(name)) coming.set(name, load(name));
  return coming.get(name);
};

/** A script by its name; nothing where it does not come, which is said. Another call tries again. */
export const bring = (name) => promised(name).catch(() => inform());

export const warm = (name) => promised(name).catch(() => {});

const onFailure = ({ detail: { requestConfig, xhr } }) => {
  if (!isOwnMatter(requestConfig) && (!xhr.status || xhr.status >= 500)) inform();
};

/** Changes that were thrown away, or that another page ``left``, are this page's now: before its own, page after page. */
export const takeUp = (changes, left = false) => {
  const closed = part("saved") ? null : "closed"; // a check that is only read takes no change; open again, it takes all
  const why = ({ stuck }) => closed ?? (stuck === "closed" ? null : stuck);
  const found = changes.map((change) => ({ ...change, left, stuck: why(change), held: Boolean(why(change)) }));
  if (!found.length) return;
  waiting.splice(left ? waiting.findLastIndex((each) => each.left) + 1 : 0, 0, ...found);
  keep();
  onWaiting();
  desk().dispatchEvent(new CustomEvent("taken-up", { detail: found }));
  if (found.some((change) => change.stuck)) tell();
  for (const change of found) if (!change.held) inTurn(attempt);
};

/** Is this the name under which another page of this check keeps what waits, and which it holds as long as it is open? */
export const isOther = (name) => name.startsWith(shelf()) && !name.endsWith(page);

/** What other pages of this check left behind is this one's. */
const adopt = async () => (await warm("leftovers"))?.adopt();

/** Take up what waited when the page went; ``told(change, status)`` hears every answer, ``waits()`` every change,
 * ``says(reason, changes, isKept)`` what waits and why. */
export const begin = (told, waits, says) => {
  [onAnswer, onWaiting, onTold] = [told, waits, says];
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (token()) detail.headers["X-CSRFToken"] = token();
    if (answering) detail.headers[STORED] = "?";
    detail.timeout = PATIENCE;
  });
  document.addEventListener("htmx:beforeSend", hearHead);
  document.addEventListener("htmx:beforeOnLoad", onAnswered);
  for (const name of ["sendError", "timeout", "responseError"]) document.addEventListener(`htmx:${name}`, onFailure);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.xhr.status < 400 && inform(""));
  if (!part("waiting")) return;
  for (const name of ["online", "focus"]) addEventListener(name, retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  navigator.locks?.request(shelf() + page, () => new Promise(() => {})); // as long as this page is open
  const [adopted, tooLong] = [adopt(), new Promise((waited) => setTimeout(waited, PATIENCE))];
  keep();
  if (isKept && Object.keys(localStorage).some(isOther)) inTurn(() => Promise.race([adopted, tooLong])); // goes first
};
