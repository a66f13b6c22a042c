// Signing in over the screen, when the session has ended: the page and all that waits on it stay.
import { token } from "./sending.js";

const part = (id) => document.getElementById(id);
const dialog = () => part("sign-in");

const say = (words) => {
  dialog().querySelector("[role=alert]").textContent = words;
};

/** Who the server takes the visitor for by the page of this check: "me", "other", or null for nobody. */
const whoIs = (answer, found) => {
  const person = found.getElementById("desk")?.dataset.person;
  if (!person && found.querySelector("input[name=password]")) return null;
  return answer.ok && person === part("desk").dataset.person ? "me" : "other";
};

const pageIn = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

/** The name of somebody else who is logged in in this browser, by the page of the account; empty where nobody is, or
 * oneself. */
export const whoElse = async () => {
  const { href } = document.querySelector("a:has([data-me])");
  const answer = await fetch(href, { cache: "no-store" }).catch(() => null);
  const found = answer && (await pageIn(answer)).querySelector("[data-me]");
  return found && found.dataset.me !== part("desk").dataset.person ? found.textContent.trim() : "";
};

const signIn = async (form) => {
  const body = new FormData(form);
  body.set("csrfmiddlewaretoken", token());
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  if (!answer) return say(dialog().dataset.unreachable);
  const found = await pageIn(answer);
  const who = whoIs(answer, found);
  form.elements.password.value = "";
  if (who === "other") location.assign(location.pathname); // what waits stays its owner's, in this browser
  else if (who === "me") dialog().close("in");
  else say(found.querySelector(".errorlist, [role=alert]")?.textContent.trim() || dialog().dataset.refused);
};

/** Ask for the password; ``then`` is called once somebody is in. */
export const ask = (then) => {
  const form = dialog().querySelector("[data-own]");
  say("");
  dialog().returnValue = "";
  form.onsubmit = (event) => {
    event.preventDefault();
    signIn(form);
  };
  dialog().onclose = () => dialog().returnValue === "in" && then();
  dialog().showModal();
  form.elements.password.focus();
};
