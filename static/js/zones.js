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
    const here = (each) => {
      const moment = new Date(each.dateTime);
      const day = `${moment.getFullYear()}-${moment.getMonth() + 1}-${moment.getDate()}`;
      const [, year, month, date] = each.dateTime.match(/^(\d+)-0?(\d+)-0?(\d+)/);
      return (day === `${year}-${month}-${date}` ? time : whole).format(moment);
    };
    const isElsewhere = (each) =>
      minutesOf(each.dateTime) !== -new Date(each.dateTime).getTimezoneOffset();

    for (const each of root.querySelectorAll("time[data-zone]")) {
      if (!isElsewhere(each)) continue;
      each.append(` (${each.dataset.zone.replace("%s", here(each))})`);
      each.removeAttribute("data-zone");
    }
    // The dates of a step in one line, where there is room for it.
    for (const each of root.querySelectorAll("[data-zones]")) {
      const times = [...each.parentElement.querySelectorAll("time")];
      if (times.length < 2 || !times.some(isElsewhere)) continue;
      const line = document.createElement("span");
      line.className = each.className;
      line.append(each.dataset.zones.replace("%s", times.map(here).join(" – ")));
      each.after(line);
      each.removeAttribute("data-zones");
    }
  };

  document.addEventListener("DOMContentLoaded", () => tell(document));
  document.addEventListener("htmx:afterSwap", () => tell(document));
})();
