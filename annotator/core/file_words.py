"""Why a file of an import does not come in, and what there is to remark of one: the sentences.

``messages`` falls back on this catalogue. The codes and their values are stored with the import, so
that whoever reads of it later does so in another language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from web.core.sentences import N_

AS_SAID: Final = "as-said"
"""Of what has no code: the words themselves, in the language they were said in."""

FILE_SENTENCES: Final[Mapping[str, str]] = {
    AS_SAID: "{words}",
    # uploads and archives
    "kind-of-upload": N_("Only .txt, .json and .zip files can be read."),
    "kind-of-member": N_("Only .txt and .json files are read from an archive."),
    "file-too-large": N_("The file is larger than 5 MB."),
    "not-an-archive": N_("This is not a ZIP archive, or it is damaged."),
    "too-many-members": N_("The archive holds more than 10,000 files."),
    "too-many-members-together": N_(
        "The archives hold more than 10,000 files together. Send this one by itself."
    ),
    "archive-too-large": N_("The archive is larger than 500 MB unpacked."),
    "archives-too-large": N_(
        "The archives are larger than 500 MB together, unpacked. Send this one by itself."
    ),
    "damaged-member": N_("The file is damaged within the archive."),
    "leads-out": N_("The file’s path leads out of the archive."),
    "is-a-link": N_("Links are not read."),
    "is-encrypted": N_("The file is encrypted."),
    "unusual-packing": N_("The file is packed in an unusual way. Pack it with Deflate."),
    "name-in-unknown-letters": N_(
        "Nothing says in which letters the file’s name is written in the archive. "
        "Pack it with names in UTF-8."
    ),
    "packed-too-tightly": N_("The file is packed too tightly to be an essay."),
    # bytes
    "is-of-a-kind": N_("The file is no text but {kind}. Save the essay as text in UTF-8."),
    "is-empty": N_("The file is empty. Send a markup, be it one without fragments."),
    "is-no-text": N_("The file is no text. Save the essay as text in UTF-8."),
    "holds-nul": N_("The file holds a NUL."),
    "other-encoding": N_("The file seems to be in {encoding}. Save it as UTF-8."),
    "goes-on-otherwise": N_(
        "The file begins as {encoding} and goes on otherwise. Save it as UTF-8."
    ),
    # what is in the file and in its name
    "no-number": N_("The file’s name must begin with the essay’s number."),
    "no-essay": N_("The file holds no essay."),
    "essay-too-long": N_("The essay is longer than 100,000 characters."),
    "wrapped-by-nobody": N_("It is not said whose markup this is: give it a key “expert”."),
    "wrapped-twice": N_("The file holds another markup by {author}."),
    # whose it is
    "by-nobody": N_("It is not said whose markup this is: name the file ID_expNN or ID_login."),
    "two-authors": N_("The file’s name says “{name}”, its field of the expert “{said}”."),
    "no-participant": N_("There is no participant “{name}”. Make the account first."),
    "no-participant-or-essay": N_(
        "There is no participant “{name}”. Make the account first; or, if the file holds an "
        "essay, leave the underline out of its name."
    ),
    "not-an-expert": N_("“{name}” is not an expert’s account."),
    "not-a-login": N_("“{name}” cannot be an expert’s login. Use letters, digits and @.+-_ only."),
    "expert-not-said": N_(
        "“{name}” is an expert’s login, and the file does not say that an expert wrote it: "
        "add the line «Эксперт: {name}» to its head, or the field meta.expert in JSON."
    ),
    "copied-file": N_(
        "The name looks like that of a copy of “{name}”. Leave the file out, or name it so."
    ),
    # a participant's archive of markups
    "essay-with-markups": N_(
        "The file holds an essay with all its markups. Send a file of your own markup alone."
    ),
    "of-somebody-else": N_(
        "The file’s name says that the markup is by {name}, and you are {login}. "
        "Name it by the essay’s number alone."
    ),
    "no-such-essay": N_("There is no essay {essay} in the set."),
    "text-changed": N_(
        "The text is not that of essay {essay} any more. In line {line} of the essay stands "
        "“{theirs}”, in the file “{ours}”. Put it back as it was handed out: only brackets are "
        "added."
    ),
    "text-other": N_(
        "The text is not that of the essay. Where it differs is told once the texts of the set "
        "are published."
    ),
    "text-missing": N_(
        "The file holds no text. Send the whole text of essay {essay}, with brackets where it is "
        "marked."
    ),
    # the essay
    "essay-unknown": N_(
        "Essay {essay} is neither in the set nor among the files that can be read: "
        "import it before its markups or together with them."
    ),
    "other-text": N_(
        "The text differs from that of essay {essay}. If the essay itself is to change, make a new "
        "version of it on its page."
    ),
    "set-is-sealed": N_(
        "The set “{set}” is sealed until its finals are over (clause 2.8 of the regulation): "
        "it takes no markup of an expert before."
    ),
    "set-is-closed": N_(
        "The set “{set}” is closed: it takes no new checks and no more markups by algorithms."
    ),
    "key-on-its-page": N_(
        "The set “{set}” is for practice: it takes essays without marks. Their keys are given on "
        "the page of the set or of an essay."
    ),
    "no-essay-for-key": N_("There is no essay {essay} in this set. Import it first."),
    "second-key": N_("Another file of the upload is the key of essay {essay} already. Keep one."),
    "too-many-keys": N_(
        "At most {limit} keys come in at once: send this file and all after it again."
    ),
    "same-text": N_("It has the same text as essay {essay}."),
    "copy-of-essay": N_(
        "The name looks like that of a copy of essay {essay}, and the text is the same: leave the "
        "file out, unless both are meant."
    ),
    "copy-with-other-text": N_(
        "The name looks like that of a copy of essay {essay}, but the text is another one: it "
        "becomes an essay of its own."
    ),
    "copy-of-none": N_(
        "The name looks like that of a copy of “{name}”, which is not in the set: this becomes "
        "the number of an essay."
    ),
    "name-without-number": N_(
        "There is no number of an essay, which is digits, in the name: “{number}” becomes the "
        "number. Leave the file out if it is no essay."
    ),
    "left-out": N_("Essay {essay} was left out, with all that belongs to it."),
    "no-subject": N_("The subject is not known: add the field «Предмет», or choose it."),
    "foreign-subject": N_(
        "The set “{set}” belongs to a contest of another subject: essay {essay} is none of it "
        "(clause 5.1 of the regulation)."
    ),
    "number-too-long": N_("The essay’s number is longer than {limit} characters."),
    "not-a-year": N_("{year} cannot be the year of an essay."),
    # the markup and its check
    "crossing-refused": N_(
        "Fragment {number} crosses fragment {other}, which these rules do not allow."
    ),
    "long-name": N_("Fragment {number}: the {element} is longer than {limit} characters."),
    "brought-twice": N_(
        "Another file holds another markup of essay {essay} by {author}. Keep one."
    ),
    "draft-at-work": N_(
        "{author} is at work on a draft of essay {essay} (marks so far: {marks}), which is not "
        "replaced. It can come in once that check is handed back or submitted."
    ),
    "replaces-markup": N_(
        "It replaces the markup of essay {essay} that {author} handed in before."
    ),
    "replaces-empty-draft": N_(
        "It replaces the draft of essay {essay} that {author} has begun and that is empty."
    ),
    "other-subjects": N_(
        "{author} is not entered for the subject of essay {essay}. Add it to the account, or see "
        "whose markup this is."
    ),
    "holds-no-check": N_("{author} does not hold a check of this essay any more."),
    "third-not-called": N_(
        "A third markup, though the rule calls no third check: the two agree. It is kept beside "
        "the checks, as a further markup."
    ),
    "third-by-its-word": N_(
        "The file says that it is the third check, though the rule calls none: the two agree. "
        "It is taken at its word."
    ),
    "two-are-not-in": N_(
        "A further markup, while the two checks are not both submitted: no third check is called "
        "yet. It is kept beside the checks."
    ),
    "third-is-held": N_(
        "A further markup: the checks of this essay are held by others. It is kept beside them."
    ),
    "check-gone": N_("This check was handed back or taken away."),
}

KINDS_OF_FILES: Final[Mapping[str, str]] = {
    "word": N_("a Word document, a table or an archive"),
    "old-word": N_("an old Word document"),
    "picture": N_("a picture"),
    "archive": N_("an archive"),
    "program": N_("a program"),
}
"""Words that stand in the field ``kind``."""
