"""A coordinator reminds people of their open checks."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.access import people_kept_by
from accounts.pages.people import people_listed
from accounts.roles import MANAGERS, Visit, open_to
from review.forms.deadlines import PressForm
from review.pages.asking import reminded_by
from review.services.asking import remind_people as send_reminders
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def remind_people(request: Visit) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    found = reminded_by(given, people_kept_by(request.user))
    back = people_listed(request.GET)
    if request.method == "GET":
        context = {"found": found, "back": back}
        return render(request, "review/deadlines/remind_people.html", context)
    form = PressForm(given)
    if not form.is_valid() or not found.asked:
        raise Refused(_("Tick people who have open checks and an address."))
    press: uuid.UUID = form.cleaned_data["key"]
    sent = send_reminders(people=found.asked, press=press, actor=request.user)
    if sent.letters:
        said = ngettext("%d person gets a letter.", "%d people get a letter.", sent.letters)
        messages.success(request, said % sent.letters)
    if sent.just_now:
        messages.info(request, _("Had a letter a moment ago: %d.") % sent.just_now)
    elif not sent.letters:
        messages.info(request, _("These letters were ordered already."))
    if found.unreachable:
        names = ", ".join(found.unreachable)
        messages.warning(request, _("Without an address that takes letters: %s.") % names)
    return redirect(back)
