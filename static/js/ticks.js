// Lists whose rows are ticked: one box for the page, ranges by Shift, and how many are ticked.
(() => {
  const boxesOf = (list) => [...list.querySelectorAll("[data-tick]")];

  const tell = (list) => {
    const boxes = boxesOf(list);
    const ticked = boxes.filter((box) => box.checked).length;
    const all = list.querySelector("[data-tick-all]");
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    const told = list.querySelector("[data-ticked]");
    const words = ticked ? told.dataset.ticked.replace("%d", ticked) : "";
    if (told.textContent !== words) told.textContent = words;
  };

  for (const list of document.querySelectorAll("[data-ticks]")) {
    let last = null; // the box that was ticked before, where a range begins

    const onBox = (box, isRange) => {
      const boxes = boxesOf(list);
      const ends = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      if (isRange && ends[0] >= 0) {
        for (const each of boxes.slice(ends[0], ends[1] + 1)) each.checked = box.checked;
      }
      last = box;
    };

    list.addEventListener("click", (event) => {
      const box = event.target.closest("[data-tick], [data-tick-all]");
      if (!box) return;
      if ("tickAll" in box.dataset) for (const each of boxesOf(list)) each.checked = box.checked;
      else onBox(box, event.shiftKey);
      tell(list);
    });
    list.querySelector("[data-tick-all]").parentElement.hidden = false;
    tell(list); // the browser may bring ticks back
  }
})();
