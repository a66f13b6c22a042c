"""What a template reads the same in, whatever a page shows: made once a language, not once a page.

Texts, their translations, icons, addresses of static files and blanks are most of what a page is
made of. A template that was read is gone through once: neighbours of this kind become one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, TextNode, TokenType, VariableNode
from django.template.defaulttags import LoadNode
from django.template.library import SimpleNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from web.templatetags.ui import icon


class Constant(Node):
    """Pieces of a template that follow each other and know nothing of the page."""

    child_nodelists = ()

    def __init__(self, pieces: Iterable[Node]) -> None:
        self.pieces = tuple(pieces)
        self._made: dict[str | None, SafeString] = {}

    def render_annotated(self, context: Context) -> SafeString:
        language = get_language()
        made = self._made.get(language)
        if made is None:
            made = self._made[language] = SafeString(
                "".join(each.render_annotated(context) for each in self.pieces)
            )
        return made

    render = render_annotated


def with_constants(nodes: NodeList) -> None:
    """Put neighbours that are constant into one, here and in everything below."""
    for node in nodes:
        for below in _lists_of(node):
            with_constants(below)
    found: list[Node] = []
    for alike, group in groupby(nodes, is_constant):
        pieces = [*group]
        is_more = len(pieces) > 1 or not isinstance(pieces[0], TextNode)
        found += [Constant(pieces)] if alike and is_more else pieces
    nodes[:] = found


def is_constant(node: Node) -> bool:
    """Does a piece read the same on every page in a language?"""
    asks = _ASKED.get(type(node))
    return asks is not None and asks(node)


def _lists_of(node: Node) -> Iterator[NodeList]:
    """What stands within a piece: its lists, and those of the branches of a condition."""
    for value in vars(node).values():
        if isinstance(value, NodeList):
            yield value
    for _condition, branch in getattr(node, "conditions_nodelists", ()):
        yield branch


def _is_said(expression: FilterExpression | None) -> bool:
    """Is a value written out in the template? None at all is."""
    if expression is None:
        return True
    literal = getattr(expression.var, "literal", expression.var)
    return isinstance(literal, str) and not expression.filters


def _is_translation(node: Any) -> bool:
    is_said = _is_said(node.filter_expression) and _is_said(node.message_context)
    return is_said and not node.asvar


def _is_sentence(node: Any) -> bool:
    varies = node.asvar or node.plural or node.extra_context or node.message_context
    return not varies and all(each.token_type == TokenType.TEXT for each in node.singular)


def _is_icon(node: Any) -> bool:
    is_drawn = node.func is icon and not node.target_var
    return is_drawn and all(map(_is_said, (*node.args, *node.kwargs.values())))


_ASKED: Final[dict[type[Node], Callable[[Any], bool]]] = {
    TextNode: lambda _node: True,
    LoadNode: lambda _node: True,
    VariableNode: lambda node: _is_said(node.filter_expression),
    TranslateNode: _is_translation,
    BlockTranslateNode: _is_sentence,
    StaticNode: lambda node: _is_said(node.path) and not node.varname,
    SimpleNode: _is_icon,
}
