from __future__ import annotations

from django.urls import path

from compare import api, views

app_name = "compare"

urlpatterns = [
    path("compare/<int:left>/<int:right>/", views.comparison, name="comparison"),
]

api_patterns = [
    path(
        "comparisons/<int:left>/<int:right>/",
        api.ComparisonOfTwo.as_view(),
        name="api_comparison",
    ),
]
