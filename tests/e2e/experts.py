"""What an expert does without a browser: comes by a link, opens checks, marks, submits."""

from __future__ import annotations

import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from tests.e2e.guests import Guest
from tests.e2e.pages import PASSWORD

AT_ONCE = 4
VERSION = re.compile(r'id="saved"[^>]*data-version="(\d+)"')
OF_PAIR = re.compile(r'data-(?:first|second)="(\d+)"')
WAITING = re.compile(r"(\d+) essays? waits? for you")


def signed_in(stack, login, link):
    """Choose a password by the link of a letter, then sign in with it."""
    newcomer = Guest(stack)
    newcomer.goes_on(newcomer.fill(link, new_password1=PASSWORD, new_password2=PASSWORD))
    return Guest(stack, login, PASSWORD)


def all_signed_in(stack, links):
    with ThreadPoolExecutor(AT_ONCE) as pool:
        logins = [*links]
        guests = pool.map(lambda login: signed_in(stack, login, links[login]), logins)
        return dict(zip(logins, guests, strict=True))


def waits(guest):
    """How many checks the queue of an expert says there are."""
    found = WAITING.search(guest.get("/queue/").text)
    return int(found[1]) if found else 0


def begin(guest, check):
    """Open a check; the address of its draft."""
    return guest.goes_on(guest.post(f"/assignments/{check}/begin/"))


def check(guest, number, text, fragments):
    """Do a check from its beginning to its end; a third one takes neither of what the two say."""
    draft = begin(guest, number)
    page = guest.get(draft).text
    version = mark(guest, draft, text, fragments, version_of(page))
    earlier = OF_PAIR.findall(page)
    if earlier:
        answer = guest.post(f"{draft}neither/", version=version, fragments=" ".join(earlier))
        version = version_of(well(answer).text)
    submit(guest, draft, version)
    return draft


def mark(guest, draft, text, fragments, version):
    """Make these marks one by one, as the marking page does; the version that stands then."""
    for each in fragments:
        place = {}
        if each.span:
            start, end = each.span.start, each.span.end
            place = {"start": start, "end": end, "quote": text[start:end]}
        said = {"uid": uuid.uuid4(), "code": each.code, "correction": each.correction}
        answer = guest.post(f"{draft}fragments/", version=version, **place, **said)
        version = version_of(well(answer).text)
    return version


def well(answer):
    assert answer.status == HTTPStatus.OK, answer.text
    return answer


def submit(guest, draft, version):
    assert guest.goes_on(guest.post(f"{draft}submit/", version=version)) == "/queue/"


def version_of(text):
    return int(VERSION.search(text)[1])
