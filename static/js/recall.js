// What was submitted can be recalled for some seconds: they are counted down, then it says that the check is final.
for (const notice of document.querySelectorAll("[data-recall]:has([data-left])")) {
  const end = performance.now() + 1000 * Number(notice.dataset.recall);
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    notice.querySelector("[data-left]").textContent = left;
    if (left) return;
    clearInterval(timer);
    for (const each of notice.querySelectorAll("[data-while], form")) each.remove();
    notice.querySelector("[data-over]").hidden = false;
  }, 250);
}
