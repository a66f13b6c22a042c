"""The announcements of a contest as an Atom feed."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contest.access import contests_seen_by
from contest.models import Announcement, Contest
from contest.queries.announcements import announced_by

IN_FEED: Final = 30
"""So many of the latest announcements."""
NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What no XML holds."""


class Announcements(Feed):  # type: ignore[type-arg]
    """In the language the address asks for, else in that of whoever reads it."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, slug: str) -> Contest:
        return contests_seen_by(request.user).get(slug=slug)

    def title(self, contest: Contest) -> str:
        return _("%s: announcements") % contest

    def subtitle(self, contest: Contest) -> str:
        return NO_XML.sub(" ", contest.summary)

    def link(self, contest: Contest) -> str:
        return reverse("contest:contest", args=[contest.slug])

    def feed_guid(self, contest: Contest) -> str:
        return f"urn:razbor:contest:{contest.slug}"

    def items(self, contest: Contest) -> list[Announcement]:
        return list(announced_by(contest).select_related("contest")[:IN_FEED])

    def item_title(self, item: Announcement) -> str:
        return str(item)

    def item_description(self, item: Announcement) -> str:
        return linebreaks(NO_XML.sub(" ", item.body), autoescape=True)

    def item_link(self, item: Announcement) -> str:
        return reverse("contest:announcement", args=[item.contest.slug, item.pk])

    def item_guid(self, item: Announcement) -> str:
        return f"urn:razbor:contest:{item.contest.slug}:{item.pk}"

    def item_pubdate(self, item: Announcement) -> datetime:
        return item.published_at

    def item_updateddate(self, item: Announcement) -> datetime:
        return item.published_at

    def item_author_name(self, item: Announcement) -> str:
        return str(item.contest)


@require_safe
@login_not_required
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    asked = request.GET.get("language")
    language = asked if asked in dict(settings.LANGUAGES) else get_language()
    with override(language):
        return Announcements()(request, slug=slug)
