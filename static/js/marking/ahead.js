// Keys that were pressed before what they are for had come, pressed again: the page does with them what a browser does
// with keys of its own.
const WRITTEN = "input:not([type=checkbox]), textarea";

const isIn = (field) => field.tabIndex >= 0 && !field.disabled && field.getClientRects().length > 0;

/** From a field of the card to the next one, or to the one before. */
const goOn = (field, by) => {
  const all = [...document.querySelectorAll("#cards :is(a, button, input, select, textarea)")].filter(isIn);
  const next = all[all.indexOf(field) + by];
  next?.focus();
  if (next?.matches(WRITTEN)) next.select();
};

/** Another option of a list. */
const choose = (list, at) => {
  if (at === list.selectedIndex || !list.options[at]) return;
  list.selectedIndex = at;
  for (const name of ["input", "change"]) list.dispatchEvent(new Event(name, { bubbles: true }));
};

let sought = ""; // what was typed in a list

const seek = (list, letter) => {
  sought += letter.toLowerCase();
  choose(list, [...list.options].findIndex(({ text }) => text.toLowerCase().startsWith(sought)));
};

const LISTED = {
  ArrowDown: (list) => choose(list, list.selectedIndex + 1),
  ArrowUp: (list) => choose(list, list.selectedIndex - 1),
};

const type = (command, letter) => document.execCommand(command, false, letter); // one can take it back, as what is typed

const TYPED = {
  Backspace: () => type("delete"),
  Delete: () => type("forwardDelete"),
  Enter: (field) => (field.matches("textarea") ? type("insertLineBreak") : field.form?.requestSubmit()),
};

/** What a browser does with a key nobody minds. */
const act = (field, { key, shiftKey, ctrlKey, metaKey, altKey }) => {
  const isLetter = [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
  const isList = field.matches("select");
  if (!(isList && isLetter)) sought = "";
  if (key === "Tab") goOn(field, shiftKey ? -1 : 1);
  else if (isList && isLetter) seek(field, key);
  else if (isList) LISTED[key]?.(field);
  else if (field.matches(WRITTEN)) (isLetter ? () => type("insertText", key) : TYPED[key])?.(field);
  else if (field.matches("button") && ["Enter", " "].includes(key)) field.click();
};

/** Press keys again, one after another, each where the one before has led. */
export const press = (keys) => {
  sought = "";
  for (const each of keys) {
    const isFree = document.activeElement.dispatchEvent(new KeyboardEvent("keydown", each));
    if (isFree) act(document.activeElement, each); // which may be another one by now
  }
};
