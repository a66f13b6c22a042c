"""Who is let in: by name and password, by session, by ``Authorization: Token <key>``."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.access import may_come_in
from accounts.models import User
from accounts.services.tokens import user_of_token
from accounts.validators import PUBLISHED_PASSWORD
from web.prepared import Given, Prepared

_PERSON = Prepared(lambda: User.objects.filter(pk=Given("pk")))


class Accounts(ModelBackend):
    """Name and password, and the session that came of them."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **fields: Any,
    ) -> User | None:
        person = super().authenticate(request, username, password, **fields)
        is_known_to_all = password == PUBLISHED_PASSWORD and not settings.LOCAL
        return None if is_known_to_all else person  # type: ignore[return-value]

    def get_user(self, user_id: int) -> User | None:
        found = _PERSON(pk=user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None

    def user_can_authenticate(self, user: User) -> bool:  # type: ignore[override]
        return may_come_in(user)


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Token <key>``."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        words = get_authorization_header(request).split()
        if words and words[0].lower() == b"bearer":
            hint = _("The scheme of keys is Token, not Bearer: send “Authorization: Token KEY”.")
            raise AuthenticationFailed(hint)
        if not words or words[0].lower() != b"token":
            return None
        token = words[1].decode("latin-1") if len(words) == 2 else ""
        user = user_of_token(token)
        if user is None:
            raise AuthenticationFailed(_("The key is unknown, has expired or was revoked."))
        return user, token

    def authenticate_header(self, _request: Request) -> str:
        return "Token"


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.authentication.TokenAuthentication"
    name = "key"

    def get_security_definition(self, _auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <key>`; keys come from the account page or POST /api/keys/.",
        }
