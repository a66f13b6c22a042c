from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from review.api import assignments, imports, sets, submissions
from review.views import (
    acts,
    agreement,
    deadlines,
    desk,
    exports,
    grades,
    notes,
    own,
    planning,
    problems,
    reminding,
    settling,
    terms,
    verdicts,
)

app_name = "review"


class Decisions(StringConverter):
    """What follows admin/scoring/ in the addresses of decisions, which moved."""

    regex = "thirdcheck/.*"


register_converter(Decisions, "decisions")

urlpatterns = [
    path("desk/", desk.desk, name="desk"),
    path("desk/acts/new/", acts.ask, name="ask_act"),
    path("desk/acts/<uuid:uuid>/", acts.act, name="act"),
    path("desk/acts/<uuid:uuid>/undo/", acts.undo_act, name="undo_act"),
    path("desk/problems/", problems.problems, name="problems"),
    path("desk/jobs/<int:pk>/retry/", problems.retry_job, name="retry_job"),
    path("desk/essays/<int:pk>/", desk.checks, name="checks"),
    path("desk/essays/<int:pk>/assign/", desk.assign, name="assign"),
    path("desk/assignments/<int:pk>/withdraw/", acts.take_away, name="take_away"),
    path("desk/assignments/<int:pk>/reopen/", desk.reopen, name="reopen"),
    path("essays/<int:pk>/protocol/", grades.protocol, name="protocol"),
    path("essays/<int:pk>/pupil/", grades.pupil, name="pupil"),
    path("essays/<int:pk>/pupil/file/", grades.pupil_file, name="pupil_file"),
    path("desk/sets/<int:pk>/pupils/", grades.pupils, name="pupils"),
    path("assignments/<int:pk>/notes/", notes.write, name="write_note"),
    path("notes/<int:pk>/answer/", notes.answer, name="answer_note"),
    path("queue/figures/", own.figures, name="own_figures"),
    path("planning/", planning.planning, name="planning"),
    path("planning/<int:pk>/", planning.plan, name="plan"),
    path("planning/<int:pk>/confirm/", planning.confirm, name="confirm_plan"),
    path("planning/<int:pk>/drop/", planning.drop, name="drop_plan"),
    path("planning/<int:pk>/withdraw/", planning.withdraw, name="withdraw_plan"),
    path("planning/experts/", terms.experts, name="plan_experts"),
    path("planning/experts/limits/", terms.limits, name="limits"),
    path("planning/conflicts/", terms.conflict, name="conflict"),
    path("planning/conflicts/<int:pk>/drop/", terms.drop_conflict, name="drop_conflict"),
    path("desk/essays/<int:pk>/pin/", terms.pin, name="pin"),
    path("desk/pins/<int:pk>/drop/", terms.unpin, name="unpin"),
    path("deadlines/", deadlines.deadlines, name="deadlines"),
    path("deadlines/extend/", deadlines.extend, name="extend"),
    path("deadlines/remind/", reminding.remind_people, name="remind_people"),
    path("deadlines/sets/<int:pk>/", deadlines.terms, name="terms"),
    path("deadlines/calendar/", deadlines.calendar, name="calendar"),
    path("deadlines/calendar/<int:pk>/drop/", deadlines.drop_calendar_day, name="drop_day"),
    path("deadlines/letters/<int:pk>/again/", deadlines.trust_address, name="trust_address"),
    path("deadlines/letters/language/", deadlines.letters_language, name="letters_language"),
    path("verdicts/", verdicts.verification, name="verification"),
    path("verdicts/sets/<int:pk>/", verdicts.verdicts, name="verdicts"),
    path("verdicts/sets/<int:pk>/say/", verdicts.say, name="say_verdict"),
    path("verdicts/sets/<int:pk>/history/", verdicts.history, name="set_history"),
    path("verdicts/protocols/<int:pk>/", verdicts.protocol, name="set_protocol"),
    path("verdicts/protocols/<int:pk>/file/", verdicts.protocol_file, name="set_protocol_file"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/<int:pk>/pairs/", agreement.pairs, name="agreement_pairs"),
    path("agreement/<int:pk>/csv/", agreement.agreement_csv, name="agreement_csv"),
    path("exports/", exports.exports, name="exports"),
    path("exports/<uuid:key>/", exports.export, name="export"),
    path("exports/<uuid:key>/file/", exports.export_file, name="export_file"),
    path("markups/<int:pk>/taken/", settling.taken, name="taken"),
    path("markups/<int:pk>/take/", settling.take, name="take"),
    path("markups/<int:pk>/neither/", settling.neither, name="neither"),
    path("markups/<int:pk>/reasons/", settling.reasons, name="reasons"),
    path("markups/<int:pk>/settled/", settling.settled, name="settled"),
    path("admin/scoring/<decisions:rest>", desk.former_admin, name="former_admin"),
]

api_patterns = [
    path("sets/", sets.Sets.as_view(), name="api_sets"),
    path("sets/<int:pk>/", sets.Set.as_view(), name="api_set"),
    path("sets/<int:pk>/states/", sets.States.as_view(), name="api_states"),
    path("sets/<int:pk>/results/", sets.Results.as_view(), name="api_results"),
    path("sets/<int:pk>/verdicts/", sets.Verdicts.as_view(), name="api_verdicts"),
    path("imports/", imports.Imports.as_view(), name="api_imports"),
    path("imports/<int:pk>/", imports.Import.as_view(), name="api_import"),
    path("imports/<int:pk>/files/", imports.Files.as_view(), name="api_import_files"),
    path("imports/<int:pk>/left-out/", imports.LeftOut.as_view(), name="api_left_out"),
    path("imports/<int:pk>/confirm/", imports.Confirmation.as_view(), name="api_confirm_import"),
    path("assignments/", assignments.Assignments.as_view(), name="api_assignments"),
    path("assignments/<int:pk>/withdraw/", assignments.Withdrawal.as_view(), name="api_withdraw"),
    path("submissions/", submissions.Submissions.as_view(), name="api_submissions"),
    path("submissions/<int:pk>/", submissions.Submission.as_view(), name="api_submission"),
]
