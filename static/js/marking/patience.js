// How long an answer is waited for: not half a minute where no byte comes at all. A request that was swallowed is
// given up and made again; the uid of a change makes it once, also where the first one arrived after all.
import { reconnect } from "./sending.js";

const FIRST = 6_000; // milliseconds without a byte
const MOST = 30_000; // for a server that is slow and not silent: each silence doubles what the next one may take
const SOON = 250; // milliseconds to the second attempt

let silence = FIRST;

const watch = ({ detail: { xhr } }) => {
  const begun = performance.now();
  const wait = () => {
    xhr.timeout = performance.now() - begun + silence;
  };
  wait();
  for (const each of [xhr, xhr.upload]) each.addEventListener("progress", wait);
  xhr.addEventListener("load", () => (silence = FIRST));
  xhr.addEventListener("timeout", () => {
    if (silence === FIRST) setTimeout(reconnect, SOON);
    silence = Math.min(2 * silence, MOST);
  });
};

let begun = false;

/** Start, once. */
export const begin = () => {
  if (begun) return;
  begun = true;
  document.addEventListener("htmx:beforeSend", watch);
};
