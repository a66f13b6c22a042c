"""Every door that takes input, as groups of cases: each sends its share of the corpus."""

from __future__ import annotations

from tests.hostile.doors import api, importing, marking, people, reading, schemes, settling

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
    "reasons": settling.reasons,
    "numbers of fragments": settling.numbers_of_fragments,
    "forms of the third desk": settling.raw_forms,
    "login": people.login,
    "settings": people.settings,
    "person": people.person,
    "lists of people": people.lists,
    "files to import": importing.files,
    "texts to import": importing.texts,
    "forms of schemes": schemes.forms,
    "files of schemes": schemes.files,
    "runs of schemes by programs": schemes.orders,
    "tools of schemes": schemes.tools,
    "tables of schemes": schemes.tables,
    "addresses of schemes": schemes.addresses,
    "queries of pages": reading.queries,
    "addresses": reading.addresses,
    "headers": reading.headers,
    "methods of pages": reading.methods,
}
