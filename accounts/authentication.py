"""``Authorization: Token <key>`` (reliability.md S10)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from accounts.services.tokens import user_of_token


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Token <key>``."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"token":
            return None
        token = words[1].decode("latin-1") if len(words) == 2 else ""
        user = user_of_token(token)
        if user is None:
            raise AuthenticationFailed(_("The key is unknown or was revoked."))
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
