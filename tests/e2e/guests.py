"""Somebody with a browser's manners and no browser: signs in, keeps cookies, fills forms in."""

from __future__ import annotations

import contextlib
import http.client
from http import HTTPStatus
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.e2e.visitor import Answer
from tests.pages import page_of

FORM = "application/x-www-form-urlencoded"


class Guest:
    """A person at the door of a stack; ``body``: the latest answer as it came, file or page."""

    def __init__(self, stack, name="", password=""):
        self.port, self.cookies, self.body = stack.port, {}, b""
        if name:
            self.goes_on(self.fill("/login/", username=name, password=password))

    def get(self, path):
        return self.ask("GET", path)

    def page(self, path):
        """What stands at an address, after at most a few redirects on the way."""
        answer = self.get(path)
        for _ in range(3):
            if answer.location:
                path = urlsplit(answer.location).path
                answer = self.get(path)
        assert answer.status == HTTPStatus.OK, (path, answer.status, answer.text[:2000])
        return path, page_of(answer.text)

    def fill(self, path, **fields):
        """Open a page and send its form: what stands there but for these fields; None empties."""
        path, page = self.page(path)
        kept = fields_of(page.find("main form[method=post]")[0])
        return self.post(path, **{**kept, **fields})

    def post(self, path, **fields):
        """Send fields; what has a name of its own is a file."""
        sent = {name: value for name, value in fields.items() if value is not None}
        if any(hasattr(value, "name") for value in sent.values()):
            return self.ask("POST", path, encode_multipart(BOUNDARY, sent), MULTIPART_CONTENT)
        return self.ask("POST", path, urlencode(sent, doseq=True).encode(), FORM)

    def goes_on(self, answer):
        """Where an act has led: its answer is a redirect."""
        page = page_of(answer.text)
        told = [each.text for each in (*page.find(".errorlist"), *page.find(".notice"))]
        assert answer.status == HTTPStatus.FOUND, (answer.status, told, page.text[:500])
        return urlsplit(answer.location).path

    def ask(self, verb, path, body=None, content=""):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers |= {"Accept-Language": "en", "X-CSRFToken": self.cookies.get("csrftoken", "")}
        if content:
            headers["Content-Type"] = content
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with contextlib.closing(connection):
            connection.request(verb, path, body, headers)
            answer = connection.getresponse()
            self.body = answer.read()
        for each in SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie", ()))).values():
            self.cookies[each.key] = each.value
        text = self.body.decode(errors="replace")
        assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR, (verb, path, text[:2000])
        return Answer(answer.status, text, answer.getheader("Location", ""))


def fields_of(form):
    """What a browser would send of a form that nobody has touched."""
    fields = {}
    for each in form.walk():
        name = each.attributes.get("name")
        if not name:
            continue
        if each.tag == "select":
            chosen = [option["value"] for option in each.find("option[selected]")]
            fields[name] = chosen or [option["value"] for option in each.find("option")][:1]
        elif each.tag == "textarea":
            fields[name] = each.raw.removeprefix("\n")
        elif each.tag == "input" and _is_sent(each.attributes):
            unsaid = "on" if _is_ticked(each.attributes) else ""
            fields.setdefault(name, []).append(each.attributes.get("value", unsaid))
    return fields


def _is_ticked(attributes):
    return attributes.get("type") in ("checkbox", "radio")


def _is_sent(attributes):
    if _is_ticked(attributes):
        return "checked" in attributes
    return attributes.get("type") not in ("file", "submit", "button")
