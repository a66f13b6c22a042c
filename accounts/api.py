"""The key to the API: ``Authorization: Token <key>`` (reliability.md S10)."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.places import place_of
from accounts.services.limits import TooMany
from accounts.services.logins import knock, let_in
from accounts.services.tokens import DAYS, LONGEST, issue_token
from web.serializers import Strict, StrictQuery, TooManyTries
from web.validators import clean_name


class KeyRequest(Strict):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    name = serializers.CharField(max_length=60, default="API", validators=[clean_name])
    days = serializers.IntegerField(min_value=1, max_value=LONGEST, default=DAYS)


class KeyAnswer(serializers.Serializer):
    token = serializers.CharField()


class Keys(StrictQuery, APIView):
    """Log in and get a key. It is shown here once and can be revoked on the account page.

    It is good for ``days`` (90 unless said otherwise), and ends with the password.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get_authenticate_header(self, _request: Request) -> str:
        return "Token"  # makes a refused login 401 and not 403

    @extend_schema(request=KeyRequest, responses={201: KeyAnswer})
    def post(self, request: Request) -> Response:
        asked = KeyRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data["username"]
        place = place_of(request)
        try:
            counted = knock(name=name, place=place)
        except TooMany as refusal:
            raise TooManyTries(_("Too many tries."), wait=refusal.seconds) from None
        user = authenticate(request, username=name, password=asked.validated_data["password"])
        if not isinstance(user, User):
            raise AuthenticationFailed(_("The name or the password is not right."))
        let_in(knock=counted, person=user, place=place)
        wanted = {field: asked.validated_data[field] for field in ("name", "days")}
        token = issue_token(user=user, **wanted)
        return Response({"token": token}, status=201)
