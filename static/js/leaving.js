// Logging out asks first while changes of this person wait in the browser to be sent.
const form = document.querySelector("form[data-waiting]");

const waits = () => {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(form.dataset.waiting)).length > 0;
  } catch {
    return false; // nothing is kept in this browser
  }
};

form?.addEventListener("submit", (event) => {
  if (!waits()) return;
  event.preventDefault();
  document.getElementById("still-waiting").showModal();
});

document.getElementById("still-waiting")?.addEventListener("close", ({ target }) => {
  if (target.returnValue === "out") form.submit();
});
