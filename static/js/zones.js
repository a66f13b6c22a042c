// A moment is told by the platform's clock; who lives by another one reads that beside it.
(() => {
  const minutesOf = (iso) => {
    const [, sign, hours, minutes] = iso.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
    return Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
  };

  const tell = (root) => {
    const { lang } = document.documentElement;
    const language = lang === "en" ? "en-GB" : lang; // dates of the platform, not of America
    const whole = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    for (const each of root.querySelectorAll("time[data-zone]")) {
      const moment = new Date(each.dateTime);
      if (minutesOf(each.dateTime) === -moment.getTimezoneOffset()) continue;
      const day = `${moment.getFullYear()}-${moment.getMonth() + 1}-${moment.getDate()}`;
      const [, year, month, date] = each.dateTime.match(/^(\d+)-0?(\d+)-0?(\d+)/);
      const shown = day === `${year}-${month}-${date}` ? time : whole;
      each.append(` (${each.dataset.zone.replace("%s", shown.format(moment))})`);
      each.removeAttribute("data-zone");
    }
  };

  document.addEventListener("DOMContentLoaded", () => tell(document));
  document.addEventListener("htmx:afterSwap", () => tell(document));
})();
