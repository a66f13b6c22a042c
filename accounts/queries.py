from __future__ import annotations

from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q

WITHOUT_PASSWORD: Final = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
"""Accounts whose owners have chosen no password: invited at most, they have never been here."""
