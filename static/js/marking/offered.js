// Phrases that are offered below a field of a card: Tab goes past them to the next field, arrows lead to them and back.
const FIELD = "#card-comment, #card-explanation";

/** Does the field have no line below the caret? */
const isAtEnd = (field) => !field.value.slice(field.selectionEnd).includes("\n");

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** From the field to its first phrase, from one to the next; up from the first one back into the field. */
const onKey = (event) => {
  const { target, key } = event;
  const step = STEPS[key];
  const isField = target.matches(FIELD);
  if (!step || (isField && (key !== "ArrowDown" || !isAtEnd(target))) || !(isField || target.matches(".phrase"))) return;
  const cell = target.closest(".cell");
  const places = [cell.querySelector(FIELD), ...cell.querySelectorAll(".phrase")];
  const next = places[places.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

document.addEventListener("keydown", onKey);
