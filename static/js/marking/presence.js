// Is somebody at the page? Then the time at work is counted, and what waits for the network is tried
// again. It comes when the page stands already: no first key needs it.
import { reconnect, token } from "./sending.js";

const time = () => document.getElementById("time");
const address = () => document.getElementById("desk").dataset.activity;

// Seconds with the page in view and somebody at it. After a minute and a half without a key, a move
// or a scroll nothing is counted.
const PAUSE = 90_000; // milliseconds
const REPORT = 30; // seconds
const MOST = 7_200; // seconds a report may tell
const AGAIN = 1_000; // milliseconds between two attempts by hand

let seconds = 0; // not reported yet
let lastSeen = Date.now();

const total = () => Number(time().dataset.seconds);

const showTime = () => {
  const [minutes, rest] = [Math.floor(total() / 60), total() % 60];
  time().textContent = `${minutes}:${String(rest).padStart(2, "0")}`;
};

/** Tell the server the seconds since the last report; those of one that it did not take go with the next. */
export const report = async () => {
  if (!seconds) return;
  const told = Math.min(seconds, MOST);
  const body = new FormData();
  body.set("seconds", told);
  body.set("csrfmiddlewaretoken", token());
  seconds -= told;
  const answer = await fetch(address(), { method: "POST", body, keepalive: true }).catch(() => null);
  if (answer?.status !== 204) seconds += told;
};

const kept = () => `razbor-time-${address()}`;

/** The next page of this check in this tab may be made before the last report is counted: it begins with what was shown. */
const leave = () => {
  try {
    sessionStorage.setItem(kept(), JSON.stringify({ shown: total(), untold: seconds }));
  } catch {
    // it begins with what the server has
  }
  report();
};

const takeOver = () => {
  try {
    const { shown, untold } = JSON.parse(sessionStorage.getItem(kept())) ?? { shown: 0, untold: 0 };
    time().dataset.seconds = Math.max(total(), Math.min(shown, total() + untold));
  } catch {
    // nothing is kept in this browser
  }
};

const tick = () => {
  if (document.hidden || Date.now() - lastSeen > PAUSE) return;
  seconds += 1;
  time().dataset.seconds = total() + 1;
  showTime();
  if (seconds >= REPORT) report();
};

let tried = 0; // when the network was tried last

/** A key or a press: what waits for the network is tried again, once a second at most. Where it is decided what becomes
 * of it nothing is tried meanwhile. */
const onHand = ({ target }) => {
  if (Date.now() - tried < AGAIN || target.closest?.("#waiting")) return;
  tried = Date.now();
  reconnect();
};

/** Gone back to, the page may be older than the submission of its check: then it is read anew. */
const comeBack = async () => {
  if (performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return;
  const answer = await fetch(location.href, { cache: "reload" }).catch(() => null);
  if (answer?.ok && !/ data-editable/.test(await answer.text())) location.reload();
};

let begun = false;

/** Start, once. */
export const begin = () => {
  if (begun) return;
  begun = true;
  comeBack();
  for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, onHand, { passive: true });
  for (const name of ["keydown", "pointermove", "pointerdown", "scroll"]) {
    document.addEventListener(name, () => (lastSeen = Date.now()), { passive: true });
  }
  document.addEventListener("visibilitychange", () => document.hidden && report());
  addEventListener("pagehide", leave);
  takeOver();
  setInterval(tick, 1000);
  showTime();
};
