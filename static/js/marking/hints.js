// The hints of a first visit.
import * as caret from "./caret.js";
import { token } from "./sending.js";

/** Put a hint away for good, whatever becomes of the page; the next one has the focus, or the text. */
export const putAway = (name, button) => {
  const body = new FormData();
  body.set("hint", name);
  body.set("csrfmiddlewaretoken", token());
  const hint = button.closest("[data-hint]");
  fetch(hint.dataset.address, { method: "POST", body, keepalive: true }).catch(() => {});
  hint.remove();
  const next = document.querySelector("[data-hint] button");
  if (next) next.focus({ preventScroll: true });
  else caret.enter();
};
