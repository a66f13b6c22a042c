"""The page an expert's work begins at."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User
from annotator.queries.work import work_of
from web.paging import page_of
from web.panels import Shared


class QueuePage(Shared):
    """A page of an expert's checks that are not submitted."""

    def __init__(self, request: HttpRequest, expert: User) -> None:
        self.work = page_of(request, work_of(expert))
        sets = {each.essay.essay_set_id for each in self.work}
        self.has_several_sets = len(sets) > 1
