"""The key to the API: ``Authorization: Token <key>`` (reliability.md S10)."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.services.limits import LOGIN, give_back, login_key, take
from accounts.services.tokens import issue_token
from accounts.validators import clean_name


class KeyRequest(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    name = serializers.CharField(max_length=60, default="API", validators=[clean_name])


class KeyAnswer(serializers.Serializer):
    token = serializers.CharField()


class Keys(APIView):
    """Log in and get a key. It is shown here once and can be revoked on the account page."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get_authenticate_header(self, _request: Request) -> str:
        return "Token"  # makes a refused login 401 and not 403

    @extend_schema(request=KeyRequest, responses={201: KeyAnswer})
    def post(self, request: Request) -> Response:
        asked = KeyRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data["username"]
        bucket = login_key(address=request.META.get("REMOTE_ADDR", ""), name=name)
        if not take(key=bucket, limit=LOGIN):
            raise Throttled(wait=LOGIN.seconds)
        user = authenticate(request, username=name, password=asked.validated_data["password"])
        if not isinstance(user, User):
            raise AuthenticationFailed(_("The name or the password is not right."))
        give_back(key=bucket, limit=LOGIN)
        token = issue_token(user=user, name=asked.validated_data["name"])
        return Response({"token": token}, status=201)
