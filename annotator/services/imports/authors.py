"""Whose markup a file holds: accounts by the names that files give, read once for an import."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from accounts.models import User
from annotator.core.names import is_expert
from annotator.services.reading import NamedFile
from annotator.services.refusals import unfit


class Authors:
    """Accounts by login in any letter case; closed ones that an import needs are among them.

    Nothing is written here: an account of this import has no number until it is saved.
    """

    def __init__(self, people: Iterable[User]) -> None:
        self._exact: dict[str, User] = {}
        self._folded: dict[str, User] = {}
        for person in people:
            self._add(person)

    def find(self, name: str) -> User | None:
        """The account of that name: first the one written in the same way."""
        return self._exact.get(name) or self._folded.get(name.lower())

    def has_role(self, name: str, role: User.Role) -> bool:
        found = self.find(name)
        return found is not None and found.role == role

    def of(self, file: NamedFile) -> User:
        """The expert of that name, a closed account if need be; or the participant.

        Raises ``Refused``.
        """
        if not file.author:
            raise unfit("by-nobody")
        said = file.file.meta.expert
        if said and said.casefold() != file.author.casefold() and not self._is_alias(said, file):
            raise unfit("two-authors", name=file.author, said=said)
        return self._expert(file.author) if file.is_expert else self._participant(file.author)

    def _is_alias(self, said: str, file: NamedFile) -> bool:
        """Is the field's name an expert's other one: neither a number of an expert nor a login?"""
        return is_expert(file.author) and not is_expert(said) and self.find(said) is None

    def _participant(self, name: str) -> User:
        found = self.find(name)
        if found is not None and found.role == User.Role.EXPERT:
            raise unfit("expert-not-said", name=name)
        if found is None or found.role != User.Role.PARTICIPANT:
            raise unfit("no-participant", name=name)
        return found

    def _expert(self, name: str) -> User:
        expert = self.find(name) or self._closed_account(name)
        if expert.role != User.Role.EXPERT:
            raise unfit("not-an-expert", name=name)
        return expert

    def _closed_account(self, name: str) -> User:
        """An expert nobody can log in as, so that an imported markup has its author."""
        expert = User(username=name, role=User.Role.EXPERT, is_active=False)
        expert.set_unusable_password()
        try:
            expert.clean_fields(exclude=["email"])
        except ValidationError:
            raise unfit("not-a-login", name=name) from None
        self._add(expert)
        return expert

    def look_again(self) -> None:
        """Take accounts that others made meanwhile in place of ours that are not saved."""
        for folded, ours in list(self._folded.items()):
            made = ours.pk is None and User.objects.filter(username__iexact=folded).first()
            if made:
                del self._exact[ours.username], self._folded[folded]
                self._add(made)

    def _add(self, person: User) -> None:
        self._exact.setdefault(person.username, person)
        self._folded.setdefault(person.username.lower(), person)
