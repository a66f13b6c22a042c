// The sheet before a submission: it stands in the palette's place, so that each problem's link shows its words
// while the sheet stays open.
const part = (id) => document.getElementById(id);
const sheet = () => part("submission");
const isBlocked = () => part("checklist").querySelector(".blocks") !== null;

/** Is the sheet open? */
export const isOpen = () => Boolean(sheet()) && !sheet().hidden;

const review = () => {
  for (const button of sheet().querySelectorAll("#submit button")) button.disabled = isBlocked();
  part("kept-back").hidden = !isBlocked();
};

/** Open it: what keeps the check back has the focus, else the button. */
export const open = () => {
  sheet().hidden = false;
  part("to-submit").setAttribute("aria-expanded", "true");
  part("desk").classList.add("submitting");
  if (part("points-why")) part("points-why").open = true;
  review();
  part("desk").dispatchEvent(new CustomEvent("sheet-opened"));
  const problem = sheet().querySelector(".blocks button, .blocks[tabindex]");
  (problem ?? part("hand-in-next")).focus();
  sheet().scrollIntoView({ block: "nearest" });
};

/** Back to marking. */
export const close = () => {
  sheet().hidden = true;
  part("to-submit").setAttribute("aria-expanded", "false");
  part("desk").classList.remove("submitting");
  if (part("points-why")) part("points-why").open = false;
};

/** Start: everything is on the page. */
export const begin = () => {
  part("desk").addEventListener("marks-renewed", () => isOpen() && review());
  document.addEventListener("click", ({ target }) => {
    const strip = part("points-why"); // what opened over the palette goes with the next press elsewhere
    if (strip?.open && !isOpen() && !target.closest("#points") && target.closest("#sheet, #palette")) strip.open = false;
  });
};
