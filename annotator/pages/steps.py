"""What a change of a draft was, in words: for undoing, for the history of a submitted check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.changes import Change, Edit, Reasoned, Ruled
from annotator.core.values import Fragment, Markup
from annotator.pages.marks import excerpt


def in_words(change: Change, text: str) -> str:
    """What a change made of an essay's markup: “marked А.грамм “people””."""
    told = [_loaded(change.edits)] if _is_loaded(change.edits) else _named_first(change, text)
    if change.restated:
        names = {*change.restated.before, *change.restated.after}
        before, after = change.restated.before, change.restated.after
        stated = sorted(name for name in names if before.get(name) != after.get(name))
        told.append(_("own points %s") % ", ".join(stated))
    told += [_reasoned(each, text) for each in change.reasons[:1]]
    return " ".join(told)


def _named_first(change: Change, text: str) -> list[str]:
    """The first mark of a step by its name, the others counted.

    Copies that go because neither is taken go without saying, as a ruling does that a taking ends.
    """
    ruled = [each for each in change.ruled if each.after or not change.edits]
    told = [_ruled(each, text) for each in ruled[:1]]
    if not ruled:
        told += [_edited(edit, text) for edit in change.edits[:1]]
    rest = len(ruled or change.edits) - 1
    if rest > 0:
        told.append(ngettext("and %d more mark", "and %d more marks", rest) % rest)
    return told


def _is_loaded(edits: Sequence[Edit]) -> bool:
    """Do marks come, go and change in one step? Where none is taken, a file or a text did it."""
    is_taken = any(each.origin for edit in edits for each in (edit.before, edit.after) if each)
    return len({_sort(edit) for edit in edits}) > 1 and not is_taken


def _loaded(edits: Sequence[Edit]) -> str:
    """What a markup that was loaded made of another one, in numbers."""
    counts = Counter(map(_sort, edits))
    said = {
        "added": _("%d added") % counts["added"],
        "removed": _("%d removed") % counts["removed"],
        "changed": _("%d changed") % counts["changed"],
    }
    return _("markup loaded: %s") % ", ".join(said[sort] for sort in said if counts[sort])


def _sort(edit: Edit) -> str:
    if edit.before is None:
        return "added"
    return "changed" if edit.after else "removed"


def _edited(edit: Edit, text: str) -> str:
    before = edit.before.fragment if edit.before else None
    after = edit.after.fragment if edit.after else None
    if before is None and after is not None:
        taken = edit.after is not None and edit.after.origin
        said = _("taken: %s") if taken else _("marked: %s")
        return said % named(after, text)
    if before is None or after is None:
        return _("deleted: %s") % named(before, text) if before else ""
    return _kind(before, after) % named(after, text)


def _ruled(ruled: Ruled, text: str) -> str:
    said = _("neither taken: %s") if ruled.after else _("undecided again: %s")
    return said % _quoted(ruled, text)


def _reasoned(reasoned: Reasoned, text: str) -> str:
    """A reason is about one pair, whichever of its fragments are named."""
    if not reasoned.after:
        said = _("reason taken back: %s")
    else:
        said = _("reason changed: %s") if reasoned.before else _("reason given: %s")
    return said % _quoted(reasoned, text)


def _quoted(said: Ruled | Reasoned, text: str) -> str:
    covered = excerpt(text[said.span.start : said.span.end]) if said.span else ""
    return _("“%s”") % covered if covered else _("the whole text")


def _kind(before: Fragment, after: Fragment) -> str:
    if (before.code, before.subcode) != (after.code, after.subcode):
        return _("code changed: %s")
    if before.span != after.span:
        return _("borders moved: %s")
    if before.tag != after.tag:
        return _("tag changed: %s")
    return _("words changed: %s")


def named(fragment: Fragment, text: str) -> str:
    """A fragment by its code and the words it covers."""
    name = f"{fragment.code} {fragment.subcode}".strip()
    words = excerpt(Markup(text).covered(fragment))
    return (_("%(name)s “%(words)s”") % {"name": name, "words": words}).strip() if words else name
