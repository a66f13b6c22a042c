from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from schemes import api, views

app_name = "schemes"


class Moved(StringConverter):
    """What follows admin/scoring/ in the addresses of rows that moved."""

    regex = "(?:schemerun|storedkey)/.*"


register_converter(Moved, "moved")

urlpatterns = [
    path("schemes/", views.schemes, name="schemes"),
    path("schemes/runs/<uuid:uuid>/", views.run, name="run"),
    path("schemes/runs/<uuid:uuid>/csv/", views.run_csv, name="run_csv"),
    path("schemes/runs/<uuid:uuid>/json/", views.run_json, name="run_json"),
    path("schemes/runs/<uuid:uuid>/texts/<str:name>/", views.run_text, name="run_text"),
    path("schemes/runs/<uuid:uuid>/items/<int:number>/", views.explain, name="explain"),
    path("schemes/runs/<uuid:uuid>/drop/", views.drop_run, name="drop_run"),
    path("schemes/keys/<uuid:uuid>/", views.key_file, name="key_file"),
    path("schemes/keys/<uuid:uuid>/offer/", views.offer_key, name="offer_key"),
    path("schemes/keys/<uuid:uuid>/drop/", views.drop_key, name="drop_key"),
    path("schemes/<slug:slug>/", views.scheme, name="scheme"),
    path("schemes/<slug:slug>/keys/", views.keep_key, name="keep_key"),
    path("schemes/<slug:slug>/tools/<slug:name>/", views.tool, name="tool"),
    path("admin/scoring/<moved:rest>", views.former_admin, name="former_admin"),
]

api_patterns = [
    path("schemes/", api.Schemes.as_view(), name="api_schemes"),
    path("schemes/keys/", api.Keys.as_view(), name="api_scheme_keys"),
    path("schemes/keys/<uuid:uuid>/", api.Key.as_view(), name="api_scheme_key"),
    path("schemes/runs/<uuid:uuid>/", api.Run.as_view(), name="api_scheme_run"),
    path("schemes/runs/<uuid:uuid>/items/", api.Items.as_view(), name="api_scheme_items"),
    path("schemes/<slug:slug>/runs/", api.Runs.as_view(), name="api_scheme_runs"),
]
