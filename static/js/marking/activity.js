// Active time: seconds with the page in view and somebody at it. After a minute and a half without
// a key, a move or a scroll nothing is counted.
const PAUSE = 90_000; // milliseconds
const REPORT = 30; // seconds

const part = (id) => document.getElementById(id);

let seconds = 0; // not reported yet
let lastSeen = Date.now();

const total = () => Number(part("time").dataset.seconds);

const show = () => {
  const [minutes, rest] = [Math.floor(total() / 60), total() % 60];
  part("time").textContent = `${minutes}:${String(rest).padStart(2, "0")}`;
};

const report = () => {
  if (!seconds) return;
  const body = new FormData();
  body.set("seconds", seconds);
  body.set("csrfmiddlewaretoken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
  seconds = 0;
  fetch(part("desk").dataset.activity, { method: "POST", body, keepalive: true }).catch(() => {});
};

const tick = () => {
  if (document.hidden || Date.now() - lastSeen > PAUSE) return;
  seconds += 1;
  part("time").dataset.seconds = total() + 1;
  show();
  if (seconds >= REPORT) report();
};

/** Begin to count. */
export const start = () => {
  for (const name of ["keydown", "pointermove", "pointerdown", "scroll"]) {
    document.addEventListener(name, () => (lastSeen = Date.now()), { passive: true });
  }
  document.addEventListener("visibilitychange", () => document.hidden && report());
  addEventListener("pagehide", report);
  setInterval(tick, 1000);
  show();
};
