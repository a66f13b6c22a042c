"""Score runs: an essay set scored as a whole, beside what counts, until two people apply it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import Essay, EssaySet, MarkupRecord, RuleSet
from scoring.core.board import Unsure, told_ranks
from scoring.core.entries import EntryState
from scoring.models.figures import PairFigures


class ScoreRun(models.Model):
    """Every solution of an essay set scored under one rule set, with the board that comes of it.

    What is scored is fixed when it is ordered (``RunPart.content``). Until it is applied it stands
    in the shadow and counts nowhere; afterwards none of its rows changes. ``set_rules``: those the
    set had when it was ordered. ``code``: digest of the source that scores. ``seed``: that of the
    resamples, ``numpy`` who drew them. ``left_out``: what could not be scored, and why. ``digest``:
    SHA-256 of the run's export. ``ster`` is percent, ``unsure`` why ranks have no interval.
    """

    class State(models.TextChoices):
        COMPUTING = "computing", pgettext_lazy("score run", "being computed")
        READY = "ready", pgettext_lazy("score run", "ready, in the shadow")
        APPLIED = "applied", pgettext_lazy("score run", "applied")
        DISCARDED = "discarded", pgettext_lazy("score run", "discarded")
        FAILED = "failed", pgettext_lazy("score run", "failed")

    class Proposal(models.TextChoices):
        APPLY = "apply", pgettext_lazy("score run", "apply")
        DISCARD = "discard", pgettext_lazy("score run", "discard")

    class Cause(models.TextChoices):
        """Why a run failed; ``%s`` stands for what ``failure`` names."""

        UNREAD = "unread", _("Answers are being read still: %s. Order a run a little later.")
        NO_SOLUTION = "no-solution", _("No solution of the set counts: there is nothing to rank.")
        UNMARKED = "unmarked", _("No essay of the set was marked by an expert.")
        STOPPED = "stopped", _("Stopped by %s.")
        PROGRAM = "program", _("The program that scores was changed meanwhile.")
        PART = "part", _("Essays %s")

    class Unsure(models.TextChoices):
        FEW_ESSAYS = Unsure.FEW_ESSAYS.value, _("fewer than 10 essays")
        MANY_RANKED = Unsure.MANY_RANKED.value, _("more than 1,000 are ranked")
        NO_NUMPY = Unsure.NO_NUMPY.value, _("NumPy is missing")

    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="runs", verbose_name=_("essay set")
    )
    rules = models.ForeignKey(RuleSet, models.PROTECT, related_name="runs", verbose_name=_("rules"))
    set_rules = models.ForeignKey(RuleSet, models.PROTECT, related_name="+", editable=False)
    seed = models.BigIntegerField(_("seed"), default=0)
    code = models.CharField(_("version of the code"), max_length=64, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.COMPUTING)
    ordered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("ordered by"),
    )
    ordered_at = models.DateTimeField(_("ordered at"), db_default=Now())
    essays = models.PositiveIntegerField(_("essays"), default=0)
    pairs = models.PositiveIntegerField(_("pairs"), default=0)
    left_out = models.JSONField(_("left out"), default=list)
    ster = models.FloatField("STER", null=True)
    unsure = models.CharField(_("no intervals because"), max_length=12, choices=Unsure, blank=True)
    numpy = models.CharField(max_length=20, blank=True, editable=False)
    digest = models.CharField(_("digest"), max_length=64, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)
    cause = models.CharField(_("why it failed"), max_length=11, choices=Cause, blank=True)
    failure = models.TextField(_("what went wrong"), blank=True)
    proposal = models.CharField(_("proposal"), max_length=7, choices=Proposal, blank=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("proposed by"),
    )
    proposed_at = models.DateTimeField(_("proposed at"), null=True)
    reason = models.TextField(_("reason"), blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)

    class Meta:
        verbose_name = _("score run")
        verbose_name_plural = _("score runs")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set"], condition=Q(state="computing"), name="one_run_at_a_time"
            ),
            models.CheckConstraint(
                condition=~Q(state="applied")
                | Q(proposal="apply", proposed_by__isnull=False, decided_by__isnull=False)
                & ~Q(proposed_by=F("decided_by")),
                name="two_people_apply_a_run",
            ),
            models.CheckConstraint(
                condition=~Q(state="discarded")
                | Q(proposal="discard", proposed_by__isnull=False, decided_by__isnull=False)
                & ~Q(proposed_by=F("decided_by")),
                name="two_people_discard_a_run",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(cause="", failure=""), name="failed_run_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.essay_set_id} ({self.state})"

    @property
    def told_failure(self) -> str:
        """What went wrong, in the language of whoever reads it; faults are told as they came."""
        words = self.get_cause_display()
        if not words:
            return self.failure
        return words % self.failure if "%s" in words else words

    @property
    def was_returned(self) -> bool:
        """True where judges or the commission have returned it."""
        return self.verdicts.filter(kind="returned").exists()

    @property
    def is_frozen(self) -> bool:
        """True once it is finished: what it says of scores does not change any more."""
        return self.state in (self.State.READY, self.State.APPLIED, self.State.DISCARDED)


class RunPart(models.Model):
    """Some essays of a run, scored by one job: part 0 is a single one, the others wait for it.

    ``content`` says what is scored, of each essay: its row, number, subject, the experts' markups,
    and pairs of an entry and its markup.
    """

    run = models.ForeignKey(ScoreRun, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    essays = models.PositiveIntegerField()
    pairs = models.PositiveIntegerField(default=0)
    left_out = models.JSONField(default=list)
    done_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("part of a score run")
        verbose_name_plural = _("parts of score runs")
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_part_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.number}"


class RunEntry(models.Model):
    """A solution in a run: one session of a participant, or what was sent freely (no origin).

    Only ``ranked`` ones have a ``rank``. ``name``: the participant's when the run was ordered;
    ``position``: where it stands among those that are ranked, or among those apart. ``asked``: how
    many essays of the run the solution is over, ``counted``: those that have an accuracy. Figures
    are percent, not rounded; ``metrics``: M1 to M6, each the mean over essays of the mean over
    experts. ``low`` to ``high`` hold 95 % of the resampled scores, ``best`` to ``worst`` those of
    the ranks; ``like``: the participants it cannot be told apart from, in the board's order.
    ``markups_digest`` and ``counts_digest`` tell whether two runs compared the same markups, and
    counted the same in them.
    """

    class State(models.TextChoices):
        RANKED = EntryState.RANKED.value, pgettext_lazy("entry", "ranked")
        FEW = EntryState.FEW.value, pgettext_lazy("entry", "too few essays count")
        PART = EntryState.PART.value, pgettext_lazy("entry", "over a part of the set")
        ANNULLED = EntryState.ANNULLED.value, pgettext_lazy("entry", "annulled")
        EXCLUDED = EntryState.EXCLUDED.value, pgettext_lazy("entry", "excluded")
        NO_ANSWERS = (
            EntryState.NO_ANSWERS.value,
            pgettext_lazy("entry", "nothing counts"),
        )
        FORMER = (
            EntryState.FORMER.value,
            pgettext_lazy("entry", "a later solution counts"),
        )

    run = models.ForeignKey(
        ScoreRun,
        models.CASCADE,
        related_name="entries",
        db_index=False,  # "entries_by_position" begins with it
    )
    participant = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="run_entries",
        verbose_name=_("participant"),
        db_index=False,  # "one_entry_per_solution" begins with it
    )
    origin = models.CharField(_("origin"), max_length=40, blank=True)
    name = models.CharField(_("name"), max_length=150)
    state = models.CharField(_("state"), max_length=10, choices=State)
    reason = models.TextField(_("reason"), blank=True)
    asked = models.PositiveIntegerField(_("essays"), default=0)
    counted = models.PositiveIntegerField(_("counted"), default=0)
    star = models.FloatField("STAR", null=True)
    otar = models.FloatField("OTAR", null=True)
    metrics = models.JSONField(default=list)
    rank = models.PositiveIntegerField(_("rank"), null=True)
    position = models.PositiveIntegerField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    best = models.PositiveIntegerField(null=True)
    worst = models.PositiveIntegerField(null=True)
    like = models.JSONField(null=True)
    markups_digest = models.CharField(max_length=64, blank=True)
    counts_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("entry of a score run")
        verbose_name_plural = _("entries of score runs")
        ordering = ["run", "position", "pk"]
        indexes = [
            models.Index(fields=["run", "state", "position"], name="entries_by_position"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "run", "origin"], name="one_entry_per_solution"
            ),
            models.UniqueConstraint(
                fields=["run", "participant"],
                condition=~Q(state="former"),
                name="one_entry_of_a_participant_stands",
            ),
            models.CheckConstraint(
                condition=Q(rank=None) | Q(state="ranked", star__isnull=False),
                name="only_ranked_entries_have_a_rank",
            ),
            models.CheckConstraint(
                condition=Q(star=None) | Q(star__gte=0, star__lt=101),
                name="score_of_an_entry_is_percent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.participant_id} {self.origin}"

    @property
    def places(self) -> str:
        """The interval of the rank; empty where there is none."""
        known = self.best is not None and self.worst is not None
        return told_ranks(self.best, self.worst) if known else ""


class RunPair(PairFigures):
    """How exactly ``assessed`` repeats ``reference`` in a run; of experts among themselves there is
    no ``entry``.

    The rows outlive markups that are taken out: no constraint ties them to these.
    """

    run = models.ForeignKey(ScoreRun, models.CASCADE, related_name="scores", db_index=False)
    entry = models.ForeignKey(RunEntry, models.CASCADE, null=True, related_name="scores")
    essay = models.ForeignKey(
        Essay, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    assessed = models.ForeignKey(
        MarkupRecord, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    reference = models.ForeignKey(
        MarkupRecord, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        verbose_name = _("pair of a score run")
        verbose_name_plural = _("pairs of score runs")
        constraints = [
            models.UniqueConstraint(
                fields=["run", "assessed", "reference"], name="one_result_per_run_and_pair"
            ),
            models.CheckConstraint(
                condition=Q(accuracy=None) | Q(accuracy__gte=0, accuracy__lt=101),
                name="accuracy_of_a_pair_is_percent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.assessed_id} / {self.reference_id}: {self.accuracy}"


class RunDifference(models.Model):
    """Who would stand elsewhere if ``after`` counted instead of ``before``, as far as pages tell.

    Kept once it is worked out: neither run changes any more. ``moves``: the first of them, as
    ``scoring.core.run_changes`` writes them.
    """

    before = models.ForeignKey(ScoreRun, models.CASCADE, related_name="+", db_index=False)
    after = models.ForeignKey(ScoreRun, models.CASCADE, related_name="differences")
    moves = models.JSONField()

    class Meta:
        verbose_name = _("difference of two score runs")
        verbose_name_plural = _("differences of score runs")
        constraints = [
            models.UniqueConstraint(fields=["before", "after"], name="one_difference_of_two_runs"),
        ]

    def __str__(self) -> str:
        return f"{self.before_id} → {self.after_id}"
