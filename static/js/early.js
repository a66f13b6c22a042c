// What cannot wait for the scripts of a page: this runs before the page is painted.

// ── light or dark: follows the system until somebody decides ────────────────

(() => {
  const root = document.documentElement;
  const kept = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage is closed: the system's theme it is
    }
  })();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // nothing kept: the choice lasts for this page
    }
  });
})();

// ── a button that is pressed before the scripts of the desk: the last press waits for them ──

(() => {
  let pressed = null;
  const note = ({ target }) => (pressed = target.closest("[data-do]"));
  const act = () => {
    document.removeEventListener("click", note);
    pressed?.click();
  };

  document.addEventListener("click", note);
  document.addEventListener("desk-ready", act, { once: true });
})();
