"""CoScore: rules that score short answers (seed 002; schemes.md 2).

``read_rule`` makes a ``Rule`` of JSON text, ``Scorer`` runs it on answers, ``read_answers`` and
``score_answers`` do so with a table.
"""
