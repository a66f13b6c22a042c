from __future__ import annotations

from django.urls import path, register_converter

from annotator import api
from annotator.views import (
    essays,
    files,
    hints,
    imports,
    loading,
    marking,
    practice,
    sets,
    steps,
    submitting,
    versions,
)
from annotator.views.marking import MarkName

app_name = "annotator"
register_converter(MarkName, "mark")

urlpatterns = [
    path("queue/", essays.queue, name="queue"),
    path("queue/next/", essays.next_essay, name="next_essay"),
    path("practice/", practice.practice, name="practice"),
    path("practice/<int:pk>/", practice.begin_try, name="try"),
    path("hints/", hints.hint, name="hint"),
    path("training/", essays.training, name="training"),
    path("import/", imports.import_page, name="import"),
    path("imports/", imports.imports, name="imports"),
    path("imports/<int:pk>/", imports.imported, name="imported"),
    path("imports/<int:pk>/confirm/", imports.confirm, name="confirm_import"),
    path("imports/<int:pk>/leave-out/", imports.leave_out, name="leave_out"),
    path("imports/<int:pk>/drop/", imports.drop, name="drop_import"),
    path("imports/<int:pk>/go-on/", imports.go_on, name="resume_import"),
    path("imports/<int:pk>/undo/", imports.undo, name="undo_import"),
    path("sets/", sets.sets, name="sets"),
    path("sets/new/", sets.new_set, name="new_set"),
    path("sets/<int:pk>/", sets.essay_set, name="essay_set"),
    path("sets/<int:pk>/describe/", sets.describe, name="describe_set"),
    path("sets/<int:pk>/state/", sets.change_state, name="set_state"),
    path("sets/<int:pk>/publish/", sets.publish_set, name="publish_set"),
    path("sets/<int:pk>/rules/", sets.new_rules, name="new_rules"),
    path("sets/<int:pk>/keys/", practice.keys, name="keys"),
    path("sets/<int:pk>/delete/", sets.drop_set, name="drop_set"),
    path("essays/<int:pk>/", essays.essay, name="essay"),
    path("essays/<int:pk>/correct/", versions.correct, name="correct_essay"),
    path("essays/<int:pk>/replace/", versions.replace, name="replace_essay"),
    path("essays/<int:pk>/key/", practice.key, name="key"),
    path("assignments/<int:pk>/begin/", essays.begin, name="begin"),
    path("assignments/<int:pk>/return/", essays.give_back, name="give_back"),
    path("markups/<int:pk>/", marking.markup, name="markup"),
    path("markups/<int:pk>/json/", files.markup_json, name="markup_json"),
    path("markups/<int:pk>/text/", files.markup_text, name="markup_text"),
    path("markups/<int:pk>/csv/", files.markup_csv, name="markup_csv"),
    path("markups/<int:pk>/m2/", files.markup_m2, name="markup_m2"),
    path("markups/<int:pk>/history/", steps.history, name="history"),
    path("markups/<int:pk>/source/", loading.source, name="source"),
    path("markups/<int:pk>/submit/", submitting.submit, name="submit"),
    path("markups/<int:pk>/recall/", submitting.recall_check, name="recall"),
    path("markups/<int:pk>/final/", submitting.finish_check, name="make_final"),
    path("markups/<int:pk>/not-carried/", versions.seen_not_carried, name="not_carried"),
    path("markups/<int:pk>/activity/", marking.activity, name="activity"),
    path("markups/<int:pk>/parts/", marking.parts, name="parts"),
    path("markups/<int:pk>/links/", marking.links, name="links"),
    path("markups/<int:pk>/same/", marking.same, name="same"),
    path("markups/<int:pk>/undo/", steps.undo, name="undo"),
    path("markups/<int:pk>/redo/", steps.redo, name="redo"),
    path("markups/<int:pk>/fragments/", marking.fragments, name="fragments"),
    path("markups/<int:pk>/fragments/<mark:number>/", marking.fragment, name="fragment"),
    path("markups/<int:pk>/fragments/<mark:number>/drop/", marking.drop_fragment, name="drop"),
    path("classifiers/<slug:subject>/", essays.classifier, name="classifier"),
]

api_patterns = [
    path("essays/", api.Essays.as_view(), name="api_essays"),
    path("essays/<int:pk>/", api.EssayFile.as_view(), name="api_essay"),
    path("essays/<int:pk>/markups/", api.Markups.as_view(), name="api_markups"),
    path("markups/<int:pk>/", api.MarkupFile.as_view(), name="api_markup"),
]
