from __future__ import annotations

from django.urls import path

from compare import api, views

app_name = "compare"

urlpatterns = [
    path("compare/", views.chosen, name="chosen"),
    path("compare/<int:left>/<int:right>/", views.comparison, name="comparison"),
    path("markups/<int:pk>/comparison/", views.several, name="several"),
]

api_patterns = [
    path(
        "comparisons/<int:left>/<int:right>/",
        api.ComparisonOfTwo.as_view(),
        name="api_comparison",
    ),
]
