from __future__ import annotations

import os
import subprocess
import sys

import psycopg
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from accounts.models import ApiToken, AuditEntry, User
from accounts.services.audit import audit
from accounts.services.inviting import send_invitation
from accounts.services.people import save_person, set_active
from accounts.services.tokens import issue_token, revoke_token
from config.bootstrap import ROOT
from tests.factories import PersonFactory
from tests.services import copy_of

pytestmark = pytest.mark.django_db


def change_by_save(entry):
    entry.action = "nothing"
    entry.save()


def change_by_hand(_entry):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_auditentry SET action = 'nothing'")


def change_one_to_the_same(entry):
    AuditEntry.objects.filter(pk=entry.pk).update(action=entry.action)


def change_in_bulk(entry):
    entry.action = "nothing"
    AuditEntry.objects.bulk_update([entry], ["action"])


def overwrite(entry):
    entry.action = "nothing"
    AuditEntry.objects.bulk_create(
        [entry], update_conflicts=True, unique_fields=["pk"], update_fields=["action"]
    )


def replace_by_hand(_entry):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT OR REPLACE INTO accounts_auditentry "
            "(id, action, object_type, object_id, details, at) "
            "SELECT id, 'nothing', object_type, object_id, details, at FROM accounts_auditentry"
        )


def delete_one(entry):
    entry.delete()


def delete_all(_entry):
    AuditEntry.objects.all().delete()


def delete_by_hand(_entry):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_auditentry")


@pytest.mark.parametrize(
    "attempt",
    [
        change_by_save,
        change_by_hand,
        change_one_to_the_same,
        change_in_bulk,
        overwrite,
        replace_by_hand,
        delete_one,
        delete_all,
        delete_by_hand,
    ],
    ids=lambda attempt: attempt.__name__,
)
def test_the_database_itself_refuses_to_alter_the_audit_trail(attempt):
    person = PersonFactory()
    audit(actor=person, action="person.changed", target=person, role="expert")
    before = list(AuditEntry.objects.values())

    with (
        pytest.raises(IntegrityError, match="accounts_auditentry: this cannot be changed"),
        transaction.atomic(),
    ):
        attempt(AuditEntry.objects.get())

    assert list(AuditEntry.objects.values()) == before


def test_somebody_who_did_something_cannot_be_deleted():
    person = PersonFactory()
    audit(actor=person, action="person.changed", target=person)

    with pytest.raises(ProtectedError):
        person.delete()


def test_every_change_of_an_account_is_written_down_with_its_author():
    actor = PersonFactory(role=User.Role.COORDINATOR)
    person = save_person(
        person=User(username="anna", email="anna@school.example"), subjects=[], actor=actor
    )
    save_person(person=person, subjects=["eng"], actor=actor)
    send_invitation(person=person, address="https://razbor.example/", actor=None)
    set_active(person=person, active=False, actor=actor)
    set_active(person=person, active=True, actor=actor)
    issue_token(user=person, name="program")
    token = ApiToken.objects.get()
    revoke_token(token=token, actor=person)
    revoke_token(token=token, actor=person)

    columns = ("actor", "action", "object_type", "object_id", "details")
    about, key = ("accounts.user", str(person.pk)), ("accounts.apitoken", str(token.pk))
    assert list(AuditEntry.objects.order_by("pk").values_list(*columns)) == [
        (actor.pk, "person.made", *about, {"role": "expert"}),
        (actor.pk, "person.changed", *about, {"role": "expert"}),
        (None, "person.invited", *about, {}),
        (actor.pk, "person.closed", *about, {}),
        (actor.pk, "person.opened", *about, {}),
        (person.pk, "token.issued", *key, {"name": "program"}),
        (person.pk, "token.revoked", *key, {"name": "program"}),
    ]


def test_what_was_refused_leaves_no_trace():
    with pytest.raises(ValidationError):
        save_person(person=User(username="not a login"), subjects=[], actor=None)

    assert not AuditEntry.objects.exists()


@transaction.atomic
def close_during_a_power_cut(person):
    set_active(person=person, active=False, actor=person)
    raise RuntimeError("power cut")


def test_an_entry_goes_with_its_change_or_not_at_all():
    person = PersonFactory()

    with pytest.raises(RuntimeError, match="power cut"):
        close_during_a_power_cut(person)

    person.refresh_from_db()
    assert (person.is_active, AuditEntry.objects.exists()) == (True, False)


@pytest.fixture
def postgres(postgres_tables):
    """A database of our own on the server: other tests make tables in theirs."""
    with copy_of(postgres_tables) as url:
        yield url


@pytest.fixture
def manage(postgres, tmp_path):
    """A management command on a PostgreSQL database of our own; returns its exit status."""

    def run(*words):
        variables = {"DATABASE_URL": postgres, "RAZBOR_VAR": str(tmp_path)}
        command = [sys.executable, "manage.py", *words, "--verbosity", "0"]
        environment = {**os.environ, "RAZBOR_BOOTSTRAP": "off", **variables}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

    return run


@pytest.mark.full
def test_postgresql_refuses_to_empty_the_audit_trail(manage, postgres):
    table = "accounts_auditentry"
    columns = "(action, object_type, object_id, details)"
    made = f"INSERT INTO {table} {columns} VALUES ('a', 'b', 'c', '{{}}')"  # noqa: S608 - ours
    moves = [manage("migrate", *words) for words in (["accounts", "0006"], [])]
    with psycopg.connect(postgres, autocommit=True) as database:
        database.execute(made)

        for statement in (f"TRUNCATE {table}", "TRUNCATE accounts_user CASCADE"):
            with pytest.raises(psycopg.errors.CheckViolation, match=f"{table}: this cannot be cha"):
                database.execute(statement)

        kept = database.execute(f"SELECT count(*) > 0 FROM {table}").fetchone()  # noqa: S608
    assert (moves, kept) == ([0, 0], (True,))
