from __future__ import annotations

from django.urls import path

from scoring import api
from scoring.views import downloads, figures

app_name = "scoring"

urlpatterns = [
    path("compare/<int:left>/<int:right>/json/", downloads.comparison_json, name="comparison_json"),
    path("compare/<int:left>/<int:right>/csv/", downloads.comparison_csv, name="comparison_csv"),
    path("essays/<int:pk>/accuracy/", figures.accuracy, name="accuracy"),
    path("scores/own/", figures.own_figures, name="own_figures"),
    path("scores/", figures.scores, name="scores"),
    path("markups/<int:pk>/points/", figures.state_points, name="state_points"),
]

api_patterns = [
    path("markups/<int:pk>/scores/", api.Scores.as_view(), name="api_scores"),
    path("markups/<int:pk>/points/", api.PointsOfMarkup.as_view(), name="api_points"),
    path("essays/<int:pk>/points/", api.PointsOfEssay.as_view(), name="api_essay_points"),
    path("scores/", api.StarTables.as_view(), name="api_star"),
]
