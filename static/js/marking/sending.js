// What goes to the server, and what waits. Changes go one after another, each with the version the
// one before it left, so that quick hands never meet their own conflict. A change that did not get
// through (no network, logged out, changed in another tab) waits here, also while the page is
// loaded anew or closed, and is made when the way is free or when somebody says so.
import { shine } from "./places.js";

const RETRY = 5_000; // milliseconds to the next attempt without a network, and half of it each time more
const LONGEST = 60_000;
const SHUT = ["offline", "login"]; // while it is so nothing gets through
const TYPED = ["quote", "code", "subcode", "correction", "comment", "explanation", "tag", "reason"];

const part = (id) => document.getElementById(id);
const shelf = () => `razbor-waiting-${part("desk").dataset.person}-${part("desk").dataset.fragments}`;
const version = () => part("saved").dataset.version;

let asked = Promise.resolve();
let waiting = []; // changes without an answer, oldest first: {path, values, words, held, since, agreed}
let why = null; // why some are held: "offline", "login", "conflict", "gone"; null when none is
let answering = null; // the change that is at the server now
let status = 0; // of the last answer to a change; 0 for none
let pause = RETRY;
let timer = 0;
let isKept = true; // what waits stays when the page is closed
let onAnswer = () => {};

/** One request after another: htmx would drop one that meets two others. */
const inTurn = (request) => {
  asked = asked.then(request, request);
  return asked;
};

const held = () => waiting.filter((change) => change.held);

const state = (name) => {
  if (part("saved")) part("saved").dataset.state = name;
};

// ── what waits is said and kept ─────────────────────────────────────────────

const newId = () =>
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

const page = newId(); // two pages of one check keep apart what waits

const keep = () => {
  const name = shelf() + page;
  try {
    const kept = { at: Date.now(), version: version(), why, changes: waiting };
    if (waiting.length) localStorage.setItem(name, JSON.stringify(kept));
    else localStorage.removeItem(name);
    isKept = true;
  } catch {
    isKept = false; // what waits lasts as long as this page
  }
};

/** What pages of this check kept, oldest first: it is this page's by now. */
const fromShelf = () => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(shelf()));
    const found = names.map((name) => JSON.parse(localStorage.getItem(name)));
    for (const name of names) localStorage.removeItem(name);
    return found.sort((one, other) => one.at - other.at);
  } catch {
    return [];
  }
};

/** What a change does, as the list of what waits says it: "Deleted: people". */
export const called = (name, words) => part("waiting").dataset[name].replace("%s", words);

/** What a change that waits is called. */
export const inWords = ({ values, words }) => words ?? TYPED.map((name) => values[name]).filter(Boolean).join(" · ");

const places = () =>
  held()
    .filter(({ values }) => values.quote)
    .map(({ values: { start, end } }) => ({ start: Number(start), end: Number(end) }));

const REFUSED = "#desk[data-refused], #stated [aria-invalid=true]"; // what the server did not take

/** Say what waits and why, unless just this is said already. */
const tell = () => {
  const words = held().map(inWords).filter(Boolean);
  const now = JSON.stringify([why, words]);
  state(why ?? (document.querySelector(REFUSED) ? "refused" : "saved"));
  shine("waiting", places());
  keep();
  if (part("waiting").dataset.told === now) return;
  part("waiting").dataset.told = now;
  const notice = why ? [part(`waiting-${why}`).content.cloneNode(true)] : [];
  part("waiting").replaceChildren(...notice);
  for (const each of part("waiting").querySelectorAll("[data-count]")) each.textContent = `(${words.length})`;
  part("waiting").querySelector("ul")?.replaceChildren(
    ...words.map((each) => Object.assign(document.createElement("li"), { textContent: each })),
  );
};

// ── asking the server ───────────────────────────────────────────────────────

const ask = async (verb, path, values) => {
  status = 0;
  await htmx.ajax(verb, path, { target: "#cards", swap: "none", values }).catch(() => {});
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

const laterOn = () => {
  clearTimeout(timer);
  timer = setTimeout(retry, pause);
  pause = Math.min(pause * 1.5, LONGEST);
};

/** Nothing that was decided before this goes on by itself: it may have been decided otherwise. What is gone keeps no change back that somebody has asked for again. */
const stop = async (reason, change = null) => {
  why = reason;
  for (const each of waiting) each.held ||= each === change || reason !== "gone" || !each.agreed;
  if (reason === "offline") laterOn();
  if (!SHUT.includes(reason)) await ask("GET", part("desk").dataset.parts, { card: part("cards").dataset.open ?? "" });
  if (status === 409) why = "gone"; // the whole check is closed
};

const attempt = async (change) => {
  if (change.held) return;
  state("saving");
  answering = change;
  const seen = Math.min(change.since ?? Infinity, version());
  await ask("POST", change.path, { ...change.values, version: seen });
  answering = null;
  const found = obstacle();
  if (found) await stop(found, change);
  else {
    pause = RETRY;
    keep();
  }
  if (why || !waiting.length) tell();
};

/** Send a change; changes go one after another. Its uid makes it once, however often it is sent; ``words`` tell what it does. */
export const send = (path, values = {}, words = null) => {
  const change = { path, values: { uid: newId(), ...values }, words, held: SHUT.includes(why) };
  waiting.push(change);
  keep();
  if (change.held) tell();
  return change.held ? asked : inTurn(() => attempt(change));
};

/** What was refused may have left the page: say how it stands. */
export const review = () => {
  if (part("saved") && !waiting.length) tell();
};

/** Ask for a part of the page, when its turn comes and it is still ``wanted``. */
export const look = (path, values, wanted) =>
  inTurn(async () => {
    if (!wanted()) return;
    await ask("GET", path, values);
    review();
  });

/** Make the changes that wait. */
export const again = () => {
  const changes = held();
  if (!why) return asked;
  for (const change of changes) {
    change.held = false;
    if (SHUT.includes(why)) continue;
    delete change.since; // what it meets was seen
    change.agreed = true;
  }
  why = null;
  for (const change of changes) inTurn(() => attempt(change));
  if (!changes.length) tell();
  return asked;
};

/** Give up the changes that wait; they are returned. */
export const giveUp = () => {
  const changes = held();
  waiting = waiting.filter((change) => !change.held);
  why = null;
  tell();
  return changes;
};

const retry = () => {
  if (SHUT.includes(why)) again();
};

/** Wait until every change made so far is answered, or waits. */
export const settled = async () => {
  for (let last = null; last !== asked; ) await (last = asked);
};

/** Is the page as the server has it? Not while a change waits. */
export const isSaved = () => part("saved").dataset.state === "saved" && !waiting.length;

/** Would a change be lost with the page? One that is on its way may be. */
export const mayBeLost = () => waiting.some((change) => !change.held || !isKept);

/** What the changes on their way, and those that wait, say of a mark by its address. */
export const onTheWay = (path) => Object.assign({}, ...waiting.filter((each) => each.path === path).map((each) => each.values));

/** What the change that is being answered says of a mark by its address. */
export const inAnswer = (path) => (answering?.path === path ? answering.values : {});

/** The key of this browser's forms: it changes with every login, also in another tab. */
export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

const onAnswered = (event) => {
  const { requestConfig, xhr } = event.detail;
  const ownsAnswer = requestConfig.verb === "post" || requestConfig.path === part("desk").dataset.parts;
  if (ownsAnswer) status = xhr.status;
  if (!part("saved") || !xhr.getResponseHeader("HX-Redirect")) return;
  event.preventDefault(); // to go to the login page would take along what was typed
  if (!answering) stop("login").then(tell);
};

// ── what comes only once it is needed, and what does not come ──────────────

const coming = new Map(); // name -> the module, or the promise of it
const failures = new Map(); // name -> how often it did not come

/** Say something in the status line, until the next answer; without words that there is no connection. */
export const inform = (words = part("told").dataset.unreachable) => {
  for (const each of document.querySelectorAll("[data-message]")) each.textContent = words;
};

const address = (name) => new URL(JSON.parse(part("desk").dataset.scripts)[name], location.href).href;

const load = async (name) => {
  const failed = failures.get(name) ?? 0;
  try {
    return await import(`${address(name)}${failed ? `?${failed}` : ""}`); // browsers remember a failed address
  } catch (failure) {
    failures.set(name, failed + 1);
    coming.delete(name);
    throw failure;
  }
};

const promised = (name) => {
  if (!coming.has(name)) coming.set(name, load(name));
  return coming.get(name);
};

/** A script by its name; null where it does not come, which is said. Another call tries again. */
export const bring = async (name) => {
  try {
    return await promised(name);
  } catch {
    inform();
    return null;
  }
};

/** Have a script at hand before anybody asks for it. */
export const warm = (name) => promised(name).catch(() => {});

const onFailure = ({ detail: { requestConfig, xhr } }) => {
  const isOwnMatter = requestConfig.verb === "post" || requestConfig.path === part("desk").dataset.parts;
  if (!isOwnMatter && (!xhr.status || xhr.status === 404 || xhr.status >= 500)) inform();
};

// ── from the beginning ──────────────────────────────────────────────────────

/** Each change goes on from the version its page had: one whose answer was lost is not a conflict. */
const takeUp = (lists) => {
  for (const { version: first, changes } of lists) {
    waiting.push(...changes.map((change, index) => ({ ...change, since: change.since ?? first + index, held: true })));
  }
  if (!waiting.length) return;
  const open = lists.map((list) => list.why).find((reason) => reason && !SHUT.includes(reason));
  why = open ?? "offline";
  keep();
  if (open) tell();
  else again();
};

/** Take up what waited when the page went; ``told(change, status)`` hears every answer. */
export const begin = (told) => {
  onAnswer = told;
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (token()) detail.headers["X-CSRFToken"] = token();
  });
  document.addEventListener("htmx:beforeOnLoad", onAnswered);
  document.addEventListener("htmx:sendError", onFailure);
  document.addEventListener("htmx:responseError", onFailure);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.xhr.status < 400 && inform(""));
  if (!part("saved")) return;
  addEventListener("online", retry);
  addEventListener("focus", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  takeUp(fromShelf());
};
