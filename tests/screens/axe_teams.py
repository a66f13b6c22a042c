"""The pages of teams for axe."""

from __future__ import annotations

from contest.models import Application, TeamInvitation
from contest.services.teams.letters import link_token, seal
from tests.contest.team_world import a_contest, a_person, a_session, a_team, add, qualify
from tests.factories import PersonFactory


class TeamPages:
    """Each method is who opens a page, and its address."""

    def a_team(self):
        team = a_team(a_contest())
        add(team, a_person("Boris"))
        qualify(team, star=50)
        a_session(team)
        return team

    def page_application(self):
        return None, f"/contests/{a_contest().slug}/apply/"

    def page_to_confirm(self):
        application = Application.objects.create(
            contest=a_contest(),
            name="Alfa",
            email="anna@example.org",
            members=[{"name": "Anna", "email": "anna@example.org"}],
            token="x",
        )
        seal(application)
        return None, f"/contests/applications/{link_token(application)}/"

    def page_team_invitation(self):
        team = self.a_team()
        captain = team.memberships.filter(is_captain=True).get().person
        invitation = TeamInvitation.objects.create(
            team=team,
            contest=team.contest,
            name="Vera",
            email="vera@example.org",
            invited_by=captain,
            token="x",
        )
        seal(invitation)
        return None, f"/contests/invitations/{link_token(invitation)}/"

    def page_cabinet(self):
        team = self.a_team()
        captain = team.memberships.filter(is_captain=True).get().person
        return captain, f"/contests/{team.contest.slug}/team/"

    def page_own_teams(self):
        return PersonFactory(role="participant"), "/team/"

    def page_teams(self):
        return PersonFactory(role="judge"), f"/contests/{self.a_team().contest.slug}/teams/"

    def page_team(self):
        team = self.a_team()
        return PersonFactory(role="judge"), f"/contests/{team.contest.slug}/teams/{team.pk}/"

    def page_verdict_of_teams(self):
        team = self.a_team()
        address = f"/contests/{team.contest.slug}/teams/verdict/?kind=checked&team={team.pk}"
        return PersonFactory(role="judge"), address
