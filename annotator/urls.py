from __future__ import annotations

from django.urls import path

from annotator import api, marking, views

app_name = "annotator"

urlpatterns = [
    path("queue/", views.queue, name="queue"),
    path("training/", views.training, name="training"),
    path("import/", views.import_page, name="import"),
    path("essays/<int:pk>/", views.essay, name="essay"),
    path("assignments/<int:pk>/begin/", views.begin, name="begin"),
    path("assignments/<int:pk>/return/", views.give_back, name="give_back"),
    path("markups/<int:pk>/", marking.markup, name="markup"),
    path("markups/<int:pk>/json/", views.markup_json, name="markup_json"),
    path("markups/<int:pk>/text/", views.markup_text, name="markup_text"),
    path("markups/<int:pk>/submit/", marking.submit, name="submit"),
    path("markups/<int:pk>/activity/", marking.activity, name="activity"),
    path("markups/<int:pk>/links/", marking.links, name="links"),
    path("markups/<int:pk>/fragments/", marking.fragments, name="fragments"),
    path("markups/<int:pk>/fragments/<int:number>/", marking.fragment, name="fragment"),
    path("markups/<int:pk>/fragments/<int:number>/drop/", marking.drop_fragment, name="drop"),
    path("classifiers/<slug:subject>/", views.classifier, name="classifier"),
]

api_patterns = [
    path("essays/", api.Essays.as_view(), name="api_essays"),
    path("essays/<int:pk>/", api.EssayFile.as_view(), name="api_essay"),
    path("essays/<int:pk>/markups/", api.Markups.as_view(), name="api_markups"),
    path("markups/<int:pk>/", api.MarkupFile.as_view(), name="api_markup"),
]
