// Groups of the navigation open and close by themselves; here they also close where somebody turns
// to something else: by Escape, which gives the focus back, by a click or a step of Tab outside.
(() => {
  const open = () => document.querySelectorAll(".drop[open]");

  const shutOthers = (target) => {
    for (const drop of open()) if (!drop.contains(target)) drop.open = false;
  };

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const drop of open()) {
      drop.open = false;
      drop.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", (event) => shutOthers(event.target));
  document.addEventListener("focusin", (event) => shutOthers(event.target));
})();
