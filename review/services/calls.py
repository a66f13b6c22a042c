"""What a program, or a question of a page, asks for twice under one name is done once."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from accounts.models import User
from review.models import ClientCall
from web.client_keys import ClientKey


@transaction.atomic
def once(*, owner: User, client_key: ClientKey | None, make: Callable[[], int]) -> tuple[int, bool]:
    """The number of the row that ``make`` makes, and whether it was made now.

    Raises ``Conflict`` where the name was used for something else, and whatever ``make`` raises:
    then the name is free again.
    """
    if client_key is None:
        return make(), True
    list(User.objects.select_for_update(no_key=True).filter(pk=owner.pk).values("pk"))
    known = made_before(owner, client_key)
    if known is not None:
        return known, False
    made = make()
    ClientCall.objects.create(
        owner=owner, name=client_key.name, digest=client_key.digest, made=made
    )
    return made, True


def made_before(owner: User, client_key: ClientKey) -> int | None:
    """What came of a call of this name, if there was one. Raises ``Conflict`` as ``once`` does."""
    known = ClientCall.objects.filter(owner=owner, name=client_key.name).first()
    if known is None:
        return None
    client_key.refuse_other(known.digest)
    return known.made
