// What was submitted can be recalled for some seconds: they are counted down, then the offer goes.
for (const notice of document.querySelectorAll("[data-recall]")) {
  const end = performance.now() + 1000 * Number(notice.dataset.recall);
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    notice.querySelector("[data-left]").textContent = left;
    if (left) return;
    clearInterval(timer);
    for (const form of notice.querySelectorAll("form")) form.remove(); // it is final by now
  }, 250);
}
