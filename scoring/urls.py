from __future__ import annotations

from django.urls import path

from scoring import api
from scoring.views import boards, downloads, figures, reports, run_acts, runs

app_name = "scoring"

REPORT = "scores/<int:pk>/reports/<int:author>/<slug:origin>"

urlpatterns = [
    path("compare/<int:left>/<int:right>/json/", downloads.comparison_json, name="comparison_json"),
    path("compare/<int:left>/<int:right>/csv/", downloads.comparison_csv, name="comparison_csv"),
    path("essays/<int:pk>/accuracy/", figures.accuracy, name="accuracy"),
    path("scores/own/", figures.own_figures, name="own_figures"),
    path("scores/", figures.scores, name="scores"),
    path("scores/runs/", runs.runs, name="runs"),
    path("scores/runs/<int:pk>/", runs.run, name="run"),
    path("scores/runs/<int:pk>/lines/", runs.run_lines, name="run_lines"),
    path("scores/runs/<int:pk>/csv/", runs.run_csv, name="run_csv"),
    path("scores/runs/<int:pk>/stop/", run_acts.stop, name="stop_run"),
    path("scores/runs/<int:pk>/propose/", run_acts.propose, name="propose_run"),
    path("scores/runs/<int:pk>/withdraw/", run_acts.withdraw, name="withdraw_proposal"),
    path("scores/runs/<int:pk>/decide/", run_acts.decide, name="decide_run"),
    path("scores/runs/<int:pk>/verdict/", run_acts.say, name="run_verdict"),
    path("scores/runs/<int:pk>/publish/", run_acts.publish, name="publish_board"),
    path("scores/runs/<int:pk>/freeze/", run_acts.freeze, name="freeze_board"),
    path(f"{REPORT}/", reports.report, name="report"),
    path(f"{REPORT}/json/", reports.report_json, name="report_json"),
    path(f"{REPORT}/csv/", reports.report_csv, name="report_csv"),
    path("boards/<int:pk>/", boards.board, name="board"),
    path("boards/<int:pk>/json/", boards.board_json, name="board_json"),
    path("boards/<int:pk>/csv/", boards.board_csv, name="board_csv"),
    path("markups/<int:pk>/points/", figures.state_points, name="state_points"),
]

api_patterns = [
    path("markups/<int:pk>/scores/", api.Scores.as_view(), name="api_scores"),
    path("markups/<int:pk>/points/", api.PointsOfMarkup.as_view(), name="api_points"),
    path("essays/<int:pk>/points/", api.PointsOfEssay.as_view(), name="api_essay_points"),
    path("scores/runs/", api.ScoreRuns.as_view(), name="api_runs"),
    path("scores/runs/<int:pk>/", api.OneScoreRun.as_view(), name="api_run"),
    path("scores/runs/<int:pk>/entries/", api.ScoreRunEntries.as_view(), name="api_run_entries"),
    path("scores/runs/<int:pk>/results/", api.ScoreRunResults.as_view(), name="api_run_results"),
    path("scores/", api.StarTables.as_view(), name="api_star"),
]
