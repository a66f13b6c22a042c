"""The pages of sessions, finals and archives of markups for axe."""

from __future__ import annotations

from contest.core.moments import at
from contest.models import Outage, Parcel, Team
from contest.services.parameters import propose_parameters
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import stop
from tests.contest.contests import board_of, data_set, parameters, running, told
from tests.contest.data_world import contest_of, data_set_of, phase_of, qac, terms_of
from tests.contest.running_world import announced, over, prepared, team_in, wanted
from tests.contest.world import SECOND, Client, final_at, marked_set
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory


class ContestPages:
    """Each method is who opens a page, and its address."""

    def a_session(self):
        marked_set(3)
        client = Client(moment=moment_now() - 60 * SECOND, seconds=60)
        first = client.next(0).slot
        client.send(first, 2, data=b"?")
        client.send(first, 3)
        client.next(50)
        return client

    def page_sessions(self):
        self.a_session()
        return PersonFactory(role="commission"), "/exchange/"

    def page_sessions_now(self):
        client = self.a_session()
        until = at(moment_now() + 60 * SECOND)
        Outage.objects.create(began_at=client.row.opened_at, ended_at=until)
        ended = Client(moment=moment_now() - 60 * SECOND, seconds=60)
        stop(session_id=ended.session.pk, reason="snow", actor=None, moment=moment_now())
        return PersonFactory(role="coordinator"), "/exchange/now/"

    def page_session(self):
        client = self.a_session()
        return client.person, f"/exchange/{client.session.pk}/"

    def page_session_to_stop(self):
        return PersonFactory(role="coordinator"), f"/exchange/{self.a_session().session.pk}/"

    def page_parcels(self):
        essay_set = EssaySetFactory(access="open", takes_parcels=True)
        EssayFactory(essay_set=essay_set)
        return PersonFactory(role="participant"), "/exchange/parcels/"

    def page_parcel(self):
        person = PersonFactory(role="participant")
        fields = {"name": "markups.zip", "size": 3, "essay_set": EssaySetFactory()}
        parcel = Parcel.objects.create(participant=person, **fields)
        reasons = [{"code": "no-such-essay", "fields": {"essay": "9"}}]
        parcel.files.create(position=1, name="9.json", outcome="refused", refused_for=reasons)
        return person, f"/exchange/parcels/{parcel.pk}/"

    def page_new_contest(self):
        return PersonFactory(role="organiser"), "/contests/new/"

    def page_contest_run(self):
        prepared()
        return PersonFactory(role="organiser"), "/contests/spring/manage/"

    def page_parameters_proposed(self):
        contest = announced()
        asked = wanted(limit=90)
        propose_parameters(contest=contest, wanted=asked, actor=contest.made_by)
        return PersonFactory(role="judge"), "/contests/spring/parameters/"

    def page_finals_of_contest(self):
        announced()
        return PersonFactory(role="organiser"), "/contests/spring/manage/finals/"

    def page_solutions_of_contest(self):
        team_in(announced())
        return PersonFactory(role="organiser"), "/contests/spring/manage/solutions/"

    def page_phase_of_contest(self):
        over(announced(), "qualification")
        return PersonFactory(role="judge"), "/contests/spring/protocols/qualification/"

    def page_question_of_phase(self):
        over(announced(), "qualification")
        address = "/contests/spring/protocols/qualification/say/?kind=checked&seen="
        return PersonFactory(role="judge"), address

    def page_finals(self):
        final_at(moment_now() + 3600 * SECOND, PersonFactory(role="participant"))
        return PersonFactory(role="organiser"), "/exchange/finals/"

    def page_front(self):
        a_contest()
        return None, "/"

    def page_contests(self):
        a_contest()
        return PersonFactory(role="expert"), "/contests/"

    def page_contest(self):
        return None, f"/contests/{a_contest().slug}/"

    def page_participating(self):
        return None, "/documents/participating/"

    def page_announcement(self):
        made = told(running(), "Finals", "600 files")
        return None, f"/contests/autumn/announcements/{made.pk}/"

    def page_contest_board(self):
        return None, f"/contests/{a_contest().slug}/board/"

    def page_announcements(self):
        running()
        return PersonFactory(role="organiser"), "/contests/autumn/manage/announcements/"

    def page_modules(self):
        running()
        return PersonFactory(role="organiser"), "/contests/autumn/manage/modules/"

    def page_archives_of_contest(self):
        contest = contest_of()
        data_set_of(contest, "test")
        return PersonFactory(role="organiser"), f"/contests/{contest.slug}/data/"

    def a_contest_of_uploads(self):
        contest = qac(shows_test_board=True)
        terms_of(phase_of(contest, "qualification", -1, 1))
        return contest

    def page_uploads(self):
        contest = self.a_contest_of_uploads()
        person = PersonFactory(role="participant")
        Team.objects.create(contest=contest, name="Lynx", account=person)
        return person, f"/contests/{contest.slug}/uploads/"

    def page_upload_terms(self):
        contest = self.a_contest_of_uploads()
        address = f"/contests/{contest.slug}/uploads/terms/qualification/"
        return PersonFactory(role="organiser"), address

    def page_upload_board(self):
        contest = self.a_contest_of_uploads()
        return PersonFactory(role="judge"), f"/contests/{contest.slug}/uploads/board/"


def a_contest():
    """With parameters, an announcement and a board."""
    found = running()
    parameters(found)
    told(found)
    board_of(data_set(found, "final").essay_set, "Lynx", "Owl")
    return found
