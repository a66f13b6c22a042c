from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import people_kept_by
from accounts.forms import LoginForm, PeopleFileForm, PersonForm, TokenForm
from accounts.models import ApiToken, User
from accounts.roles import EVERYBODY, MANAGERS, Visit, open_to
from accounts.services.limits import LOGIN, give_back, login_key, take
from accounts.services.people import (
    ListRefused,
    import_people,
    save_person,
    send_invitation,
    set_active,
)
from accounts.services.tokens import issue_token, revoke_token

PER_PAGE = 100


@method_decorator(login_not_required, name="dispatch")
class Login(auth_views.LoginView):
    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not take(key=self.bucket(), limit=LOGIN):
            form = self.get_form_class()(request)
            form.cleaned_data = {}
            form.add_error(None, form.error_messages["too_many"])
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: LoginForm) -> HttpResponse:
        give_back(key=self.bucket(), limit=LOGIN)
        return super().form_valid(form)

    def bucket(self) -> str:
        address = self.request.META.get("REMOTE_ADDR", "")
        return login_key(address=address, name=self.request.POST.get("username", ""))


@require_GET
@open_to(EVERYBODY)
def start(request: Visit) -> HttpResponse:
    return redirect(settings.START_PAGES[request.user.role])


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def account(request: Visit) -> HttpResponse:
    form = TokenForm(request.POST or None)
    token = ""
    if request.method == "POST" and form.is_valid():
        token = issue_token(user=request.user, name=form.cleaned_data["name"])
        form = TokenForm()
    tokens = request.user.api_tokens.filter(revoked_at=None)
    context = {"form": form, "token": token, "tokens": tokens}
    return render(request, "accounts/account.html", context)


@require_POST
@open_to(EVERYBODY)
def drop_token(request: Visit, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    revoke_token(token=token, actor=request.user)
    return redirect("accounts:account")


@require_GET
@open_to(MANAGERS)
def people(request: Visit) -> HttpResponse:
    wanted = request.GET.get("q", "").strip()[:100].replace("\0", "")
    found = people_kept_by(request.user).order_by("role", "full_name", "username")
    if wanted:
        found = found.filter(
            Q(username__icontains=wanted)
            | Q(full_name__icontains=wanted)
            | Q(school__icontains=wanted)
        )
    pages = Paginator(found.prefetch_related("specialisms"), PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {"page": page, "q": wanted, "form": PeopleFileForm()}
    return render(request, "accounts/people.html", context)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def person(request: Visit, pk: int | None = None) -> HttpResponse:
    account = User() if pk is None else get_object_or_404(people_kept_by(request.user), pk=pk)
    form = PersonForm(request.POST or None, instance=account, manager=request.user)
    if request.method == "POST" and form.is_valid():
        saved = save_person(
            person=form.instance, subjects=form.cleaned_data["subjects"], actor=request.user
        )
        messages.success(request, _("Saved: %s") % saved)
        return redirect("accounts:people")
    return render(request, "accounts/person.html", {"form": form, "person": account})


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def people_file(request: Visit) -> HttpResponse:
    if request.method == "GET":  # the report in another language, or loaded anew
        return redirect("accounts:people")
    form = PeopleFileForm(request.POST, request.FILES)
    report, refusal = [], ""
    if form.is_valid():
        try:
            report = import_people(data=form.cleaned_data["file"].read(), actor=request.user)
        except ListRefused as refused:
            refusal = str(refused)
    context = {"form": form, "report": report, "refusal": refusal}
    status = 200 if report else 422
    return render(request, "accounts/people_file.html", context, status=status)


@require_POST
@open_to(MANAGERS)
def invite(request: Visit, pk: int) -> HttpResponse:
    invited = people_kept_by(request.user).filter(~Q(email=""), is_active=True)
    account = get_object_or_404(invited, pk=pk)
    try:
        send_invitation(person=account, address=request.build_absolute_uri("/"), actor=request.user)
    except OSError:
        messages.error(request, _("The letter could not be sent. Try again later."))
    else:
        messages.success(request, _("A letter was sent to %s.") % account.email)
    return redirect("accounts:people")


@require_POST
@open_to(MANAGERS)
def activity(request: Visit, pk: int) -> HttpResponse:
    account = get_object_or_404(people_kept_by(request.user), ~Q(pk=request.user.pk), pk=pk)
    set_active(person=account, active=not account.is_active, actor=request.user)
    return redirect("accounts:people")


@method_decorator(login_not_required, name="dispatch")
class Invitation(auth_views.PasswordResetConfirmView):
    template_name = "accounts/invitation.html"
    success_url = reverse_lazy("accounts:login")
    post_reset_login = False


@require_http_methods(["GET", "POST"])
@login_not_required
def forgotten(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    if sent:
        email = request.POST.get("email", "")[:254].replace("\0", "")
        key = f"forgotten:{request.META.get('REMOTE_ADDR', '')}"
        known = User.objects.filter(~Q(email=""), email__iexact=email, is_active=True).first()
        if take(key=key, limit=LOGIN) and known:
            with suppress(OSError):  # a lost letter must not tell which addresses are known
                send_invitation(person=known, address=request.build_absolute_uri("/"), actor=None)
    return render(request, "accounts/forgotten.html", {"sent": sent})
