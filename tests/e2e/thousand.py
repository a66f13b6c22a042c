"""A thousand essays of two subjects: their texts, who marks them how, and what has to come of it.

What has to come of it is computed by the pure cores alone, from what the experts sent.
"""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from threading import Lock

from annotator.core.classifier import classifier_of
from annotator.core.final_rule import rule_of_code
from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from review.core.final_grade import final_grade
from scoring.core.criteria import grade
from scoring.core.third_expert import third_check

SETS = {"Literature": Subject.LITERATURE, "Society": Subject.SOCIAL_SCIENCE}
RULES = {
    Subject.LITERATURE: "median/criteria",
    Subject.SOCIAL_SCIENCE: "mean-third/total",
}
STRICT = 1 / 6
"""So many checks see what the others do not; two that differ in it call a third expert."""
SENTENCES = [
    "Человек не всегда понимает, что одно его слово может изменить чужую жизнь навсегда.",
    "Автор показывает нам героя, который боится признаться самому себе в своей слабости.",
    "В старом доме на берегу реки долго помнили о том, что случилось той осенью.",
    "Сначала кажется, что выбор уже сделан, но дорога снова приводит его к развилке.",
    "Закон защищает каждого, и всё же справедливость начинается с обычного разговора.",
    "Общество держится на доверии, которое нельзя ни купить, ни потребовать силой.",
    "Мы часто судим о людях по поступкам, хотя причины этих поступков от нас скрыты.",
    "Книга заканчивается письмом, и в нём нет ни одного упрёка тем, кто ушёл раньше.",
    "Рынок отвечает на спрос, но ответственность за решение остаётся за человеком.",
    "Память о прошлом помогает нам не повторять ошибок, за которые заплатили другие.",
    "Друзья спорят всю ночь, и к утру каждый из них немного меняет своё мнение.",
    "Поэтому я думаю, что сострадание важнее любых правил, придуманных на бумаге.",
]


@dataclass(frozen=True)
class Written:
    """An essay as it is uploaded."""

    number: str
    subject: Subject
    text: str

    @property
    def file(self):
        said = f"Тема: (* Сочинение {self.number} *)\nКласс: 11\nГод: 2026\nТест: Зимний"
        return f"{said}\n\n{self.text}\n".encode()

    def place(self, pattern, dice):
        found = dice.choice(list(re.finditer(pattern, self.text)))
        return Span(*found.span())


def written(subject, number):
    """An essay of 150 to 250 words, the same each time it is asked for."""
    dice = random.Random(f"{subject} {number}")
    paragraphs = [" ".join(dice.choices(SENTENCES, k=dice.randint(4, 5))) for _ in range(4)]
    return Written(f"{number:07}", subject, "\n\n".join([f"Сочинение {number}.", *paragraphs]))


def zipped(essays):
    packed = io.BytesIO()
    packed.name = "essays.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for essay in essays:
            archive.writestr(f"{essay.number}.txt", essay.file)
    packed.seek(0)
    return packed


def marks_of(essay, login):
    """What an expert finds in an essay: a sixth of the experts sees it in another way."""
    dice = random.Random(f"{essay.number} {login}")
    is_strict = dice.random() < STRICT
    if essay.subject is Subject.LITERATURE:
        codes = ["С.тема"] if is_strict else ["АРГУМЕНТ", *["Р.повтор"] * dice.randint(0, 1)]
    else:
        codes = [*(() if is_strict else ("ИДЕЯ",)), *["ПОНЯТИЕ"] * dice.randint(0, 1)]
    return [marked(essay, code, dice) for code in codes]


def marked(essay, code, dice):
    """A mark of this code: a sentence, a word with its correction, or the text as a whole."""
    category = classifier_of(essay.subject).find(code)
    if category.whole_text_only:
        return Fragment(None, code)
    if category.kind is Kind.BLOCK:
        return Fragment(essay.place(r"[^.\s][^.]+\.", dice), code, kind=Kind.BLOCK)
    return Fragment(essay.place(r"\w{4,}", dice), code, correction="иначе")


@dataclass
class Ledger:
    """What the experts sent, essay by essay in its order; filled in from many threads."""

    essays: dict[str, Written]
    sent: dict[str, dict[str, list[Fragment]]] = field(default_factory=lambda: defaultdict(dict))
    lock: Lock = field(default_factory=Lock)

    def note(self, number, login, fragments):
        with self.lock:
            self.sent[number][login] = fragments

    def __len__(self):
        return sum(map(len, self.sent.values()))

    def sheets(self, number):
        """The points of an essay's checks as the pure core gives them, the third one last."""
        essay = self.essays[number]
        checks = self.sent[number].values()
        return [grade(essay.subject, Markup(essay.text, tuple(each))) for each in checks]

    def calls_third(self, number):
        first, second, *_ = self.sheets(number)
        return third_check(self.essays[number].subject, first, second).needed

    def grade(self, number):
        """The final grade of an essay: total, and points where the rule is by criterion."""
        rule = rule_of_code(RULES[self.essays[number].subject])
        return final_grade(rule, *self.sheets(number), needs_third=self.calls_third(number))
