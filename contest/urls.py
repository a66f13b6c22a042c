from __future__ import annotations

from django.urls import path

from contest.api import contests as api_contests
from contest.api import files, parcels, sessions
from contest.api import uploads as api_uploads
from contest.views import (
    announcing,
    annulling,
    applying,
    cabinet,
    contest_finals,
    feeds,
    finals,
    parameters,
    phase_protocols,
    public,
    publications,
    running,
    teams,
    uploads,
)
from contest.views import parcels as archives
from contest.views import sessions as pages

app_name = "contest"

MANAGE = "contests/<slug:slug>/manage/"
PARAMETERS = "contests/<slug:slug>/parameters/"
PROTOCOLS = "contests/<slug:slug>/protocols/<slug:kind>/"

urlpatterns = [
    path("", public.home, name="home"),
    path("documents/participating/", public.participating, name="participating"),
    path("documents/<slug:name>/", public.document, name="document"),
    path("contests/", public.contests, name="contests"),
    path("contests/new/", running.new_contest, name="new_contest"),
    path("contests/<slug:slug>/", public.contest, name="contest"),
    path("contests/<slug:slug>/feed/", feeds.feed, name="feed"),
    path("contests/<slug:slug>/announcements/<int:pk>/", public.announcement, name="announcement"),
    path("contests/<slug:slug>/board/", public.board, name="contest_board"),
    path("contests/<slug:slug>/manage/modules/", public.modules, name="modules"),
    path("exchange/", pages.sessions, name="sessions"),
    path("exchange/<int:pk>/", pages.session, name="session"),
    path("exchange/<int:pk>/log/", pages.log, name="session_log"),
    path("exchange/<int:pk>/stop/", pages.stop_session, name="stop_session"),
    path("exchange/now/", pages.now, name="now"),
    path("exchange/parcels/", archives.parcels, name="parcels"),
    path("exchange/parcels/send/", archives.send, name="send_parcel"),
    path("exchange/parcels/<int:pk>/", archives.parcel, name="parcel"),
    path("exchange/finals/", finals.finals, name="finals"),
    path("exchange/finals/<int:pk>/cancel/", finals.cancel, name="cancel_final"),
    path("exchange/finals/<int:pk>/restart/", finals.restart, name="restart_final"),
    path(MANAGE, running.manage, name="manage"),
    path(MANAGE + "describe/", running.describe, name="describe_contest"),
    path(MANAGE + "phase/", running.phase, name="plan_phase"),
    path(MANAGE + "sets/", running.add_set, name="add_data_set"),
    path(MANAGE + "sets/<int:pk>/drop/", running.drop_set, name="drop_data_set"),
    path(MANAGE + "announcements/", announcing.announcements, name="announcements"),
    path(MANAGE + "announce/", running.announce, name="announce_contest"),
    path(MANAGE + "finals/", contest_finals.finals, name="contest_finals"),
    path(MANAGE + "finals/plan/", contest_finals.plan, name="plan_contest_final"),
    path(MANAGE + "finals/<int:pk>/cancel/", contest_finals.cancel, name="cancel_contest_final"),
    path(MANAGE + "finals/<int:pk>/restart/", contest_finals.restart, name="restart_contest_final"),
    path(MANAGE + "solutions/", annulling.solutions, name="solutions"),
    path(MANAGE + "solutions/<int:pk>/annul/", annulling.annul, name="annul"),
    path(MANAGE + "solutions/<int:pk>/restore/", annulling.lift, name="lift_annulment"),
    path(MANAGE + "uploads/<int:pk>/annul/", annulling.annul_upload, name="annul_upload"),
    path(MANAGE + "uploads/<int:pk>/restore/", annulling.lift_upload, name="lift_upload"),
    path(MANAGE + "teams/<int:pk>/exclude/", annulling.exclude, name="exclude_team"),
    path(MANAGE + "teams/<int:pk>/take-back/", annulling.take_back, name="take_team_back"),
    path(PARAMETERS, parameters.parameters, name="parameters"),
    path(PARAMETERS + "propose/", parameters.propose, name="propose_parameters"),
    path(
        PARAMETERS + "<int:version>/consent/",
        parameters.consent,
        name="consent",
    ),
    path(
        PARAMETERS + "<int:version>/withdraw/",
        parameters.withdraw,
        name="withdraw_parameters",
    ),
    path(PROTOCOLS, phase_protocols.phase_protocol, name="phase_protocol"),
    path(PROTOCOLS + "say/", phase_protocols.say, name="say_of_phase"),
    path(PROTOCOLS + "<int:pk>/", phase_protocols.paper, name="phase_paper"),
    path(PROTOCOLS + "<int:pk>/file/", phase_protocols.protocol_file, name="phase_file"),
    path("team/", cabinet.own_teams, name="own_teams"),
    path("team/act/", cabinet.act, name="act"),
    path("contests/applications/<str:token>/", applying.confirm, name="confirm_application"),
    path("contests/invitations/<str:token>/", applying.invitation, name="invitation"),
    path("contests/<slug:slug>/apply/", applying.apply, name="apply"),
    path("contests/<slug:slug>/team/", cabinet.cabinet, name="cabinet"),
    path("contests/<slug:slug>/team/invite/", cabinet.invite_member, name="invite_member"),
    path(
        "contests/<slug:slug>/team/invitations/<int:pk>/drop/",
        cabinet.drop_invitation,
        name="drop_invitation",
    ),
    path("contests/<slug:slug>/team/leave/", cabinet.leave_team, name="leave_team"),
    path("contests/<slug:slug>/team/members/<int:pk>/dismiss/", cabinet.dismiss, name="dismiss"),
    path(
        "contests/<slug:slug>/team/members/<int:pk>/captain/",
        cabinet.make_captain,
        name="make_captain",
    ),
    path("contests/<slug:slug>/teams/", teams.teams, name="teams"),
    path("contests/<slug:slug>/teams/verdict/", teams.say_of_several, name="say_of_teams"),
    path("contests/<slug:slug>/teams/<int:pk>/", teams.team, name="team"),
    path("contests/<slug:slug>/teams/<int:pk>/ask/", teams.ask_leader_of, name="ask_leader"),
    path("contests/<slug:slug>/teams/<int:pk>/say/", teams.say, name="say_of_team"),
    path("contests/<slug:slug>/data/", publications.archives, name="archives"),
    path("contests/<slug:slug>/data/<str:kind>.zip", publications.publication, name="publication"),
    path("contests/<slug:slug>/uploads/", uploads.uploads, name="uploads"),
    path("contests/<slug:slug>/uploads/send/", uploads.send, name="send_upload"),
    path("contests/<slug:slug>/uploads/<str:kind>.zip", uploads.texts, name="upload_texts"),
    path("contests/<slug:slug>/uploads/board/", uploads.board, name="upload_board"),
    path("contests/<slug:slug>/uploads/board/json/", uploads.board_json, name="upload_board_json"),
    path("contests/<slug:slug>/uploads/board/csv/", uploads.board_csv, name="upload_board_csv"),
    path("contests/<slug:slug>/uploads/terms/<str:kind>/", uploads.terms, name="upload_terms"),
]

api_patterns = [
    path("exchange/", sessions.Doors.as_view(), name="api_exchange"),
    path("exchange/parcels/", parcels.Parcels.as_view(), name="api_parcels"),
    path("exchange/parcels/<int:pk>/", parcels.OneParcel.as_view(), name="api_parcel"),
    path("exchange/parcels/<int:pk>/files/", parcels.Files.as_view(), name="api_parcel_files"),
    path("exchange/sessions/", sessions.Sessions.as_view(), name="api_sessions"),
    path("exchange/sessions/<int:pk>/", sessions.Session.as_view(), name="api_session"),
    path("exchange/sessions/<int:pk>/log/", sessions.Log.as_view(), name="api_session_log"),
    path("exchange/sessions/<int:pk>/abort/", sessions.Abort.as_view(), name="api_abort"),
    path("exchange/sessions/<int:pk>/next/", files.Next.as_view(), name="api_next_file"),
    path("exchange/sessions/<int:pk>/repeat/", files.Repeat.as_view(), name="api_repeat_file"),
    path(
        "exchange/sessions/<int:pk>/files/<str:file>/",
        files.Send.as_view(),
        name="api_send_answer",
    ),
    path("contests/", api_contests.Contests.as_view(), name="api_contests"),
    path("contests/<slug:slug>/", api_contests.OneContest.as_view(), name="api_contest"),
    path("contests/<slug:slug>/uploads/", api_uploads.Uploads.as_view(), name="api_uploads"),
]
