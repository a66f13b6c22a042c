// The comparison screen: what keys, mouse and touch do. This one only says who is called when;
// the server makes all HTML, and a filter brings the two texts and the list anew.
import * as pairs from "./pairs.js";
import { layOut } from "./seam.js";

const part = (id) => document.getElementById(id);
const EDGE = 48; // of the filter that follows one in sight
const MIRROR = { only_left: "only_right", only_right: "only_left" };

// ── keys ────────────────────────────────────────────────────────────────────

/** One-letter commands by physical key, so that ЙЦУКЕН and QWERTY are one. */
const COMMANDS = {
  KeyN: () => pairs.step(1),
  KeyP: () => pairs.step(-1),
  KeyS: () => part("swap").click(),
  KeyF: () => part("filters").querySelector("a").focus(),
  "?": () => part("keys").showModal(),
};
const lettersOn = () => localStorage.getItem("razbor-letters") !== "off";

const onListKey = (event) => {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!direction) return false;
  const all = pairs.rows();
  all[all.indexOf(document.activeElement) + direction]?.focus();
  return true;
};

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") pairs.choose(null);
  if (event.target.matches("input, select")) return;
  if (event.target.matches(".diff") && onListKey(event)) {
    event.preventDefault();
    return;
  }
  const command = event.key === "?" ? COMMANDS["?"] : lettersOn() && COMMANDS[event.code];
  if (!command) return;
  event.preventDefault();
  command();
});

part("letters").checked = lettersOn();
part("letters").addEventListener("change", (event) => {
  localStorage.setItem("razbor-letters", event.target.checked ? "on" : "off");
});

// ── mouse and focus ─────────────────────────────────────────────────────────

const BUTTONS = {
  key: (name) => COMMANDS[name](),
  print: () => print(),
};

/** The row something on the page belongs to. */
const rowUnder = (target, options) => {
  const own = target.closest("[data-row]")?.dataset.row ?? target.closest("[data-go]")?.dataset.go;
  if (own) return pairs.rowOf(own);
  const piece = target.closest("[data-side] [data-m]");
  return piece ? pairs.rowAt(piece, options) : null;
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) {
    BUTTONS[button.dataset.do](button.dataset.value);
    return;
  }
  const row = rowUnder(event.target, { again: true });
  if (!row) return;
  event.preventDefault();
  pairs.choose(row, { bring: true });
});

document.addEventListener("pointerover", (event) => pairs.light(rowUnder(event.target)), { passive: true });

document.addEventListener("focusin", (event) => {
  const row = event.target.closest(".diff");
  if (row && row !== pairs.chosenRow() && row.matches(":focus-visible")) pairs.choose(row, { bring: true });
});

// ── what comes anew ─────────────────────────────────────────────────────────

let picked = "pick-left";
document.addEventListener("change", (event) => {
  if (event.target.matches(".pick")) picked = event.target.id;
  layOut();
});

/** Addresses that carry the filter follow it. */
const carryFilter = () => {
  for (const link of document.querySelectorAll("a[data-filtered]")) link.search = location.search;
  const query = new URLSearchParams(location.search);
  const mirrored = [...query].map(([name, value]) => [name, name === "kind" ? (MIRROR[value] ?? value) : value]);
  part("swap").search = new URLSearchParams(mirrored);
};

/** On a narrow window filters are one line that is scrolled: it stays where it is, with the chosen one in sight. */
let along = 0;
const showFilter = () => {
  const strip = part("filters");
  strip.scrollLeft = along;
  const chosen = strip.querySelector(".filter:focus") ?? strip.querySelector("[aria-current]");
  const [all, one] = [strip, chosen ?? strip].map((each) => each.getBoundingClientRect());
  if (one.left < all.left) strip.scrollLeft -= all.left - one.left + EDGE;
  else if (one.right > all.right) strip.scrollLeft += one.right - all.right + EDGE;
};
document.addEventListener("htmx:beforeSwap", () => {
  along = part("filters").scrollLeft;
});

document.addEventListener("htmx:afterSettle", () => {
  part(picked).checked = true;
  showFilter();
  carryFilter();
  pairs.restore();
  layOut();
  part("said").textContent = `${part("filters").ariaLabel}: ${part("count").textContent}`;
});

document.addEventListener("pair-chosen", () => {
  part("swap").hash = pairs.mirrored();
  layOut();
});
new ResizeObserver(layOut).observe(part("view").querySelector(".pairtext"));
addEventListener("resize", layOut);
document.fonts.ready.then(layOut);
pairs.begin();
addEventListener("hashchange", pairs.begin);
// The browser scrolls to the row an address names, once the page has come, and fonts that come late move all words:
// those of the row come into sight after that, as long as nobody has touched the page.
const TOUCHES = ["keydown", "pointerdown", "wheel"];
const settle = () => requestAnimationFrame(() => requestAnimationFrame(pairs.begin));
const leave = () => document.fonts.removeEventListener("loadingdone", settle);
if (location.hash) {
  addEventListener("load", settle);
  document.fonts.addEventListener("loadingdone", settle);
  for (const touch of TOUCHES) addEventListener(touch, leave, { once: true, passive: true });
}
layOut();
showFilter();
part("view").dataset.ready = "";
