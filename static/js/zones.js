// A moment is told by the platform's clock; who lives by another one reads that beside it.
(() => {
  const minutesOf = (iso) => {
    const [, sign, hours, minutes] = iso.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
    return Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
  };

  const tell = (root) => {
    const { lang } = document.documentElement;
    // Dates as the platform writes them: 9 Jan 2030, 21:30 and 09.01.2030 21:30.
    const [language, dateStyle, between] =
      lang === "en" ? ["en-GB", "medium", ", "] : [lang, "short", " "];
    const date = new Intl.DateTimeFormat(language, { dateStyle });
    const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    const whole = (moment) => date.format(moment) + between + time.format(moment);
    const here = (each) => {
      const moment = new Date(each.dateTime);
      const day = `${moment.getFullYear()}-${moment.getMonth() + 1}-${moment.getDate()}`;
      const [, ...told] = each.dateTime.match(/^(\d+)-0?(\d+)-0?(\d+)/);
      return day === told.join("-") ? time.format(moment) : whole(moment);
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
