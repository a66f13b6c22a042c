from __future__ import annotations

from django.urls import path

from scoring import api, views

app_name = "scoring"

urlpatterns = [
    path("desk/", views.desk, name="desk"),
    path("desk/essays/<int:pk>/", views.checks, name="checks"),
    path("desk/essays/<int:pk>/assign/", views.assign, name="assign"),
    path("desk/assignments/<int:pk>/withdraw/", views.take_away, name="take_away"),
    path("scores/", views.scores, name="scores"),
    path("markups/<int:pk>/points/", views.state_points, name="state_points"),
]

api_patterns = [
    path("markups/<int:pk>/scores/", api.Scores.as_view(), name="api_scores"),
    path("scores/", api.StarTables.as_view(), name="api_star"),
]
