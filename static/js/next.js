// One key opens the next essay of the queue. Whoever has switched one-letter keys off on the marking
// screen (they are kept there) presses the button.
(() => {
  const isOff = () => {
    try {
      return localStorage.getItem("razbor-letters") === "off";
    } catch {
      return false; // storage is closed: nothing was switched off
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.code !== "KeyN" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea") || isOff()) return;
    const form = document.getElementById("next-essay");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });
})();
