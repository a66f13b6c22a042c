"""Where markups of an algorithm come from, in words, for pages of every app above."""

from __future__ import annotations

from django import template

from annotator.models.markups import origin_words

register = template.Library()

register.filter("origin_words", origin_words)
