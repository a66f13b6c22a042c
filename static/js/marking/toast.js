// The one line that offers to bring back what was deleted: six seconds, longer while it is looked at.
const STAYS = 6000; // milliseconds

const toast = () => document.getElementById("toast");

let timer = 0;

const hide = () => {
  if (toast().matches(":hover, :focus-within")) timer = setTimeout(hide, STAYS);
  else toast().replaceChildren();
};

/** The toast has come: let it go after a while. */
export const show = () => {
  clearTimeout(timer);
  timer = setTimeout(hide, STAYS);
};

/** What was deleted, and the toast is gone; null when it has gone before. */
export const take = () => {
  const form = toast().querySelector("form");
  const values = form && Object.fromEntries(new FormData(form));
  toast().replaceChildren();
  return values;
};
