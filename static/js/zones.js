// A moment is told by the platform's clock; who lives by another one reads that beside it.
(() => {
  const minutesOf = (iso) => {
    const [, sign, hours, minutes] = iso.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
    return Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
  };

  const tell = (root) => {
    const shown = new Intl.DateTimeFormat(document.documentElement.lang, {
      dateStyle: "medium",
      timeStyle: "short",
    });
    for (const each of root.querySelectorAll("time[data-zone]")) {
      const moment = new Date(each.dateTime);
      if (minutesOf(each.dateTime) === -moment.getTimezoneOffset()) continue;
      each.append(` (${each.dataset.zone.replace("%s", shown.format(moment))})`);
      each.removeAttribute("data-zone");
    }
  };

  document.addEventListener("DOMContentLoaded", () => tell(document));
  document.addEventListener("htmx:afterSwap", () => tell(document));
})();
