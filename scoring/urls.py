from __future__ import annotations

from django.urls import path

from scoring import api, downloads, scheme_urls, settling, views

app_name = "scoring"

urlpatterns = [
    path("desk/", views.desk, name="desk"),
    path("desk/essays/<int:pk>/", views.checks, name="checks"),
    path("desk/essays/<int:pk>/assign/", views.assign, name="assign"),
    path("desk/assignments/<int:pk>/withdraw/", views.take_away, name="take_away"),
    path("compare/<int:left>/<int:right>/json/", downloads.comparison_json, name="comparison_json"),
    path("compare/<int:left>/<int:right>/csv/", downloads.comparison_csv, name="comparison_csv"),
    path("essays/<int:pk>/accuracy/", views.accuracy, name="accuracy"),
    path("desk/assignments/<int:pk>/reopen/", views.reopen, name="reopen"),
    path("markups/<int:pk>/taken/", settling.taken, name="taken"),
    path("markups/<int:pk>/take/", settling.take, name="take"),
    path("markups/<int:pk>/reasons/", settling.reasons, name="reasons"),
    path("markups/<int:pk>/settled/", settling.settled, name="settled"),
    path("scores/own/", views.own_figures, name="own_figures"),
    path("scores/", views.scores, name="scores"),
    *scheme_urls.urlpatterns,
    path("markups/<int:pk>/points/", views.state_points, name="state_points"),
]

api_patterns = [
    path("markups/<int:pk>/scores/", api.Scores.as_view(), name="api_scores"),
    path("scores/", api.StarTables.as_view(), name="api_star"),
    *scheme_urls.api_patterns,
]
