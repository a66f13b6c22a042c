"""What a coordinator of a set does on the pages, from a new set to its files."""

from __future__ import annotations

import io
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from tests.e2e.guests import Guest
from tests.e2e.thousand import RULES

COLUMNS = "login,name,email,role,school,subjects"


class Coordinator(Guest):
    """Somebody who leads sets of essays."""

    def found(self, name, subject):
        """A set with rules of final grades, whose overdue checks go to somebody else."""
        pk = number_in(self.goes_on(self.fill("/sets/new/", name=name)))
        final = {f"final_{subject.name.lower()}": RULES[subject]}
        self.goes_on(self.fill(f"/sets/{pk}/rules/", **final))
        terms = {"at_deadline": None, "before_hours": "", "every_days": "", "times": "0"}
        self.goes_on(self.fill(f"/deadlines/sets/{pk}/", reassign_hours=1, **terms))
        return pk

    def bring(self, essay_set, subject, archive):
        """Upload essays, look at what would happen, confirm; what the page says came of it."""
        preview = self.goes_on(
            self.fill("/import/", essay_set=essay_set, subject=subject.value, files=archive)
        )
        done = self.goes_on(self.post(f"{preview}confirm/"))
        return self.page(done)[1]

    def open(self, essay_set):
        step = f"/sets/{essay_set}/state/"
        links = self.page(f"/sets/{essay_set}/")[1].find("main a")
        assert f"{step}?state=open" in [each["href"] for each in links]
        self.goes_on(self.fill(f"{step}?state=open"))

    def invite(self, people):
        """Load a list of people and send everybody a link."""
        lines = [COLUMNS, *(",".join(person) for person in people)]
        listed = io.BytesIO("\n".join(lines).encode())
        listed.name = "people.csv"
        assert self.post("/people/import/", file=listed).status == HTTPStatus.OK
        self.goes_on(self.fill("/people/invite/?all=1"))

    def plan(self, **asked):
        """Have checks planned and look at the plan; its address, and how many it would give."""
        path = self.goes_on(self.fill("/planning/", **asked))
        page = self.page(path)[1]
        seen = page.one("#options input[name=seen]")["value"]
        return path, seen, page.one(".preview .key").text

    def confirm(self, path, seen):
        return self.goes_on(self.post(f"{path}confirm/", seen=seen))

    def take_away(self, expert):
        """Take all that somebody holds away, by the desk's filter, and give them nothing more."""
        self.goes_on(self.post("/planning/experts/limits/", **{f"checks-{expert}": 0}))
        self.goes_on(self.fill(f"/desk/acts/new/?act=withdraw&all=on&expert={expert}"))

    def reopen(self, check, reason):
        self.goes_on(self.post(f"/desk/assignments/{check}/reopen/", reason=reason))

    def numbers(self, essay_set):
        """The six numbers of the desk, by their names in the address."""
        page = self.page(f"/desk/?set={essay_set}")[1]
        return {
            parse_qs(urlsplit(each["href"]).query)["state"][0]: int(each.one("b").text)
            for each in page.find(".numbers a")
        }

    def exported(self, stack, essay_set, form):
        """Order the results of a set and wait for the file; its bytes."""
        asked = {"kind": "results", "essay_set": essay_set, "form": form}
        path = self.goes_on(self.fill("/exports/", **asked))
        stack.until(lambda: self.get(f"{path}file/").status == HTTPStatus.OK, "the file is made")
        return self.body


def number_in(path):
    return int(path.strip("/").rpartition("/")[2])
