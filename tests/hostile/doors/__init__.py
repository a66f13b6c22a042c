"""Every door that takes input, as groups of cases: each sends its share of the corpus."""

from __future__ import annotations

from tests.hostile.doors import api, importing, marking, people, reading

GROUPS = {
    "values of a markup": api.values,
    "spans of a markup": api.spans,
    "bodies of a markup": api.bodies,
    "texts of a markup": api.texts,
    "keys": api.keys,
    "filters": api.filters,
    "methods of the API": api.methods,
    "texts of a change": marking.texts_of_change,
    "numbers of a change": marking.numbers_of_change,
    "creation": marking.creation,
    "handing back": marking.returning,
    "forms of marking": marking.raw_forms,
    "login": people.login,
    "settings": people.settings,
    "person": people.person,
    "lists of people": people.lists,
    "files to import": importing.files,
    "texts to import": importing.texts,
    "queries of pages": reading.queries,
    "addresses": reading.addresses,
    "headers": reading.headers,
    "methods of pages": reading.methods,
}
