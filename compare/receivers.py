from __future__ import annotations

from django.dispatch import receiver
from django.urls import reverse

from annotator.signals import comparison_asked


@receiver(comparison_asked)
def answer_where_two_are_compared(left: int, right: int, **_: object) -> str:
    return reverse("compare:comparison", args=[left, right])
