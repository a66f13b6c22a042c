from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import of_role, people_kept_by, people_of_the_demo
from accounts.forms import LoginForm, PeopleFileForm, PersonForm, TokenForm
from accounts.models import ApiToken, User
from accounts.pages.inviting import invited_by, role_invited, told_of_returned
from accounts.pages.people import PeoplePage, people_listed
from accounts.places import keep_place, own_address, place_of
from accounts.queries import made_already, never_invited
from accounts.roles import EVERYBODY, MANAGERS, Visit, open_to, person_of
from accounts.services.importing import import_people
from accounts.services.inviting import invite_several, send_invitation
from accounts.services.limits import TooMany
from accounts.services.list_files import ListRefused
from accounts.services.logins import Knock, count_letter, knock, let_in, remember
from accounts.services.people import save_person, set_active, work_held_by
from accounts.services.posting import AddressRefused
from accounts.services.tokens import issue_token, lets_in, revoke_token
from accounts.validators import PUBLISHED_PASSWORD
from web.forms import asked_words, sent_in, status_of
from web.paging import page_of
from web.refusals import Refused

CHOSEN: Final = "password_chosen"
"""Whose password was chosen last in this session of a browser: it logs in next."""


@method_decorator(login_not_required, name="dispatch")
class Login(auth_views.LoginView):
    template_name = "accounts/login.html"
    authentication_form = LoginForm
    extra_context = {"people_of_the_demo": people_of_the_demo, "published": PUBLISHED_PASSWORD}

    knock: Knock

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # who is in goes on; who logs in where somebody else is in logs in
        self.redirect_authenticated_user = request.method != "POST"
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "username": self.request.session.get(CHOSEN, "")}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            self.knock = knock(name=request.POST.get("username", ""), place=place_of(request))
        except TooMany as refusal:
            form = self.get_form_class()(request)
            form.cleaned_data = {}
            form.add_error(None, form.error_messages["too_many"])
            context = self.get_context_data(form=form)
            headers = {"Retry-After": refusal.seconds}
            return self.render_to_response(context, status=429, headers=headers)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: LoginForm) -> HttpResponse:
        response = super().form_valid(form)
        place = keep_place(self.request, response)
        let_in(knock=self.knock, person=form.get_user(), place=place)
        return response


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def account(request: Visit) -> HttpResponse:
    form = TokenForm(sent_in(request))
    token = ""
    if request.method == "POST" and form.is_valid():
        try:
            token = issue_token(user=request.user, member=request.member, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm()
    tokens = request.user.api_tokens.filter(revoked_at=None)
    tokens = tokens.annotate(has_expired=Q(expires_at__lte=Now()), is_held=lets_in())
    context = {"form": form, "token": token, "page": page_of(request, tokens)}
    context["person"] = person_of(request)
    return render(request, "accounts/account.html", context, status=status_of(form))


@require_POST
@open_to(EVERYBODY)
def drop_token(request: Visit, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    revoke_token(token=token, actor=request.user)
    return redirect("accounts:account")


@require_GET
@open_to(MANAGERS)
def people(request: Visit) -> HttpResponse:
    people = PeoplePage(request, request.user)
    waiting = never_invited(of_role(request.user, people.role)).count()
    context = {"people": people, "page": people.page, "q": people.words, "waiting": waiting}
    return render(request, "accounts/people.html", {**context, "form": PeopleFileForm()})


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def invite_many(request: Visit) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    role = role_invited(given, request.user)
    found = invited_by(given, of_role(request.user, role))
    if request.method == "GET":
        context = {"found": found, "role": role}
        context["back"] = people_listed(request.GET)
        return render(request, "accounts/invite_many.html", context)
    address = own_address(request)
    sent = invite_several(people=found.people, address=address, actor=request.user)
    messages.success(request, _("Letters sent: %d.") % sent.letters)
    if sent.just_now:
        messages.info(request, _("Had a letter a moment ago: %d.") % sent.just_now)
    _tell_refused(request, sent.refused)
    if sent.broken_off:
        messages.error(request, _("The mail server takes no more letters. Try again later."))
    return redirect(people_listed(request.GET))


def _tell_refused(request: Visit, people: Iterable[User]) -> None:
    if named := ", ".join(f"{person} ({person.email})" for person in people):
        message = _("The mail server does not take letters to: %s. Correct what is wrong there.")
        messages.error(request, message % named)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def person(request: Visit, pk: int | None = None) -> HttpResponse:
    account = User() if pk is None else get_object_or_404(people_kept_by(request.user), pk=pk)
    form = PersonForm(sent_in(request), instance=account, manager=request.user)
    saved = None
    if request.method == "POST" and form.is_valid():
        said = {name: form.cleaned_data[name] for name in ("subjects", "seen")}
        try:
            saved = save_person(person=form.instance, actor=request.user, **said)
        except ValidationError as error:  # somebody saved the same since the form was looked at
            form.add_error(None, error)
    if form.errors and form.is_read and pk is None:
        saved = made_already(form.instance, form.cleaned_data.get("subjects", ()), request.user)
    if saved:
        messages.success(request, _("Saved: %s") % saved)
        return redirect("accounts:people")
    context = {"form": form, "person": account}
    return render(request, "accounts/person.html", context, status=status_of(form))


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def people_file(request: Visit) -> HttpResponse:
    if request.method == "GET":  # the report in another language, or loaded anew
        return redirect("accounts:people")
    form = PeopleFileForm(request.POST, request.FILES)
    report, refusal = [], ""
    if form.is_valid():
        request.in_parts = True
        try:
            report = import_people(data=form.cleaned_data["file"].read(), actor=request.user)
        except ListRefused as refused:
            refusal = str(refused)
    report.sort(key=lambda each: not each.refusal)
    counts = Counter(each.outcome for each in report)
    context = {"form": form, "report": report, "refusal": refusal, "counts": counts}
    status = 200 if report else 422
    return render(request, "accounts/people_file.html", context, status=status)


@require_POST
@open_to(MANAGERS)
def invite(request: Visit, pk: int) -> HttpResponse:
    invited = people_kept_by(request.user).filter(~Q(email=""), is_active=True)
    account = get_object_or_404(invited, pk=pk)
    try:
        send_invitation(person=account, address=own_address(request), actor=request.user)
    except AddressRefused:
        _tell_refused(request, [account])
    except OSError:
        messages.error(request, _("The letter could not be sent. Try again later."))
    else:
        messages.success(request, _("A letter was sent to %s.") % account.email)
    return _to_people(request)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def activity(request: Visit, pk: int) -> HttpResponse:
    account = get_object_or_404(people_kept_by(request.user), ~Q(pk=request.user.pk), pk=pk)
    if request.method == "GET":
        context = {"person": account, "held": work_held_by(account)}
        return render(request, "accounts/closing.html", context)
    active = "active" in request.POST
    if account.is_active == active:  # somebody was quicker, or the button was pressed twice
        message = (
            _("%s: the account is open already.") if active else _("%s: it is closed already.")
        )
        messages.info(request, message % account)
    else:
        returned = set_active(person=account, active=active, actor=request.user)
        message = _("%s: the account is open.") if active else _("%s: the account is closed.")
        messages.success(request, message % account)
        for sentence in told_of_returned(returned):
            messages.info(request, sentence)
    return _to_people(request)


def _to_people(request: Visit) -> HttpResponse:
    """To the list as it was: what was searched for there stands in the address."""
    asked = request.GET.urlencode()
    return redirect(f"{reverse('accounts:people')}{f'?{asked}' if asked else ''}")


@method_decorator(login_not_required, name="dispatch")
class Invitation(auth_views.PasswordResetConfirmView):
    template_name = "accounts/invitation.html"
    success_url = reverse_lazy("accounts:login")
    post_reset_login = False

    @transaction.atomic
    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        form.user = User.objects.select_for_update(no_key=True).get(pk=form.user.pk)
        token = self.request.session[auth_views.INTERNAL_RESET_SESSION_TOKEN]
        self.validlink = self.token_generator.check_token(form.user, token)
        if not self.validlink:  # somebody used the link since this form was read
            return self.render_to_response(self.get_context_data())
        response = super().form_valid(form)
        remember(person=form.user, place=keep_place(self.request, response))
        self.request.session[CHOSEN] = form.user.get_username()
        messages.success(self.request, _("The password is chosen. Log in with it."))
        return response


@require_http_methods(["GET", "POST"])
@login_not_required
def forgotten(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    if sent:
        email = asked_words(request.POST, "email", 254)
        known = User.objects.filter(~Q(email=""), email__iexact=email, is_active=True).first()
        # neither a lost letter nor one too many may tell which addresses are known
        with suppress(AddressRefused, OSError, TooMany):
            count_letter(person=known, place=place_of(request))
            if known:
                send_invitation(person=known, address=own_address(request), actor=None)
    return render(request, "accounts/forgotten.html", {"sent": sent})
