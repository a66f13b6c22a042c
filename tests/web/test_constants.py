from __future__ import annotations

import pytest
from django.template import Context, Engine, engines
from django.utils import translation

from web.constants import Constant, with_constants

SOURCES = [
    "<p>{% trans 'Codes' %}{{ ' ' }}{% trans 'Points' %}</p>",
    "{% trans name %}, {% trans 'Codes' as codes %}{{ codes }}",
    "{% blocktrans %}Points{% endblocktrans %}{% blocktrans %}{{ name }}{% endblocktrans %}",
    "{% icon 'book' %}{% icon name %}{{ 'a<b' }}{{ 3 }}{{ _('Codes') }}",
    "{% static 'css/site.css' %}{% static name %}{% static 'css/site.css' as css %}{{ css }}",
    "{% if name %}{% trans 'Codes' %}!{% else %}{% trans 'Points' %}?{% endif %}",
    "{% for each in list %}{{ each }}{{ ', ' }}{% trans 'Points' %}{% empty %}-{% endfor %}",
    "{% with codes=name %}{% trans 'Codes' %}{{ codes|upper }}{% endwith %}",
    "{% trans 'Submit' context 'a check' %}{% trans 'Submit' context name %}",
]
LOAD = "{% load i18n static ui %}"
SHOWN = [{"name": "Codes", "list": ["a", "<b>"]}, {"name": "", "list": []}]


def engine() -> Engine:
    return engines["django"].engine


def read(template, shown):
    return template.render(Context(shown, autoescape=True))


@pytest.mark.parametrize("source", SOURCES)
def test_a_page_reads_the_same_in_every_language_and_order(source):
    plain, gathered = (engine().from_string(LOAD + source) for _ in range(2))
    with_constants(gathered.nodelist)

    for language in ("en", "ru", "en", None):
        with translation.override(language):
            for shown in SHOWN:
                assert read(gathered, shown) == read(plain, shown)


def test_neighbours_that_know_nothing_of_the_page_become_one():
    template = engine().from_string(
        "{% load i18n ui %}<p>{% trans 'Codes' %}{% icon 'book' %}{{ ' ' }}{{ name }}</p>"
    )

    with_constants(template.nodelist)

    assert [type(each).__name__ for each in template.nodelist] == [
        "Constant",
        "VariableNode",
        "TextNode",
    ]


def test_what_the_page_says_is_no_constant():
    template = engine().from_string(
        "{% load i18n ui static %}{{ name }}{% trans name %}{% icon name %}{% static name %}"
        "{% trans 'Codes' as codes %}{% blocktrans %}of {{ name }}{% endblocktrans %}"
        "{% blocktrans count n=3 %}one{% plural %}{{ n }}{% endblocktrans %}{{ 'a'|add:name }}"
    )

    with_constants(template.nodelist)

    made = [each for each in template.nodelist if isinstance(each, Constant)]
    assert [[type(piece).__name__ for piece in each.pieces] for each in made] == [["LoadNode"]]


def test_templates_of_the_product_are_gathered_as_they_are_read():
    template = engine().get_template("base.html")

    assert any(isinstance(each, Constant) for each in template.nodelist)
