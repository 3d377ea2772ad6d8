"""Signs that a template or text is no prompt: its name, its folder, the format it has without its tags, or whom it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.sources._model_speech import Sign

_HEAD_CHARS: Final = 8_000
# Not ``.go``, which in ``p.go.tmpl`` may name the template language.
_INNER: Final = late_pattern(
    r"\.(?:html?|xhtml|xml|svg|rss|css|scss|js|jsx|ts|tsx|vue|py|pyi|rb|rs|java|kt|c|h|cc|cpp|hpp|cs|php|pl|lua|sh|bash|zsh|ps1|bat|"
    r"sql|tf|hcl|conf|cfg|cnf|ini|toml|env|properties|service|timer|socket|mount|network|rules|repo|list|cron|tex|rst|adoc|csv|vhost|"
    r"plist|desktop|spec|proto|gradle|cmake|mk|nix|eml|mjml|po|pot|ics|vcf)\.\w+$"
)
_DATA_INNER: Final = late_pattern(r"\.(?:ya?ml|json5?|jsonc)\.\w+$")
_PAPER_INNER: Final = late_pattern(r"\.(?:md|markdown|txt)\.\w+$")
_OWN_FOLDER: Final = late_pattern(
    r"(?:^|/)(?:roles/[^/]+/templates|charts?/(?:.*/)?templates|_?layouts|_posts|_includes|locales?|i18n|l10n|changelogs?|\.github|"
    r"\{\{[^/]*\}\}[^/]*)/"
)
_FOLDER: Final = late_pattern(
    r"(?:^|/)(?:snippets|e?-?mails?|newsletters?|notify|notifications?|sms|letters?|translations|ansible|playbooks|terraform|manifests|"
    r"k8s|migrations|nginx|apache2?|systemd|cron(?:\.d)?|docker|releases?|reports?)/"
)
_DOCUMENT: Final = late_pattern(
    r"(?:^|/)(?:readme|change(?:s|log)|news|release[-_ ]?notes?|history|contributing|authors|licen[cs]e|copying|notice|security|"
    r"code_of_conduct|todo|install|requirements|constraints|cmakelists|robots|sources|top_level|mkdocs|faq|glossary)(?:[-_.][^/]*)?$"
)
_MANUAL_FOLDER: Final = late_pattern(r"(?:^|/)(?:docs?|man|manual|wiki|site|website|licen[cs]es|releases|changelogs?|api)/")
# Names that Ansible, Helm, Hugo, Jekyll, dbt, cookiecutter and Alertmanager hand to their templates, and no one else.
_GIVEN: Final = late_pattern(
    r"\{[{%][-+~]?[^{}\n]{0,80}?(?:\bansible_\w+|\binventory_hostname|\bhostvars\b|\bgroups\[|\blookup\(|\bcookiecutter\.|"
    r"\bcopier__|\b_copier_|\bsite\.\w|\bpage\.(?:title|date|url|author|tags|content)\b|\b(?:ref|source)\(['\"]|\bconfig\([a-z_]+=|"
    r"\bis_incremental\(|\binvocation_id\b|\|\s*to_nice_(?:yaml|json)|(?<![\w)\]])\.(?:Values|Chart|Release|Capabilities|Site|Page|Params|"
    r"Permalink|RelPermalink|Labels|Annotations|GroupLabels|CommonLabels|Alerts|TableOfContents)\b|\bautomodule\b|\|\s*img_url|"
    r"\burl_for\(|\bcsrf_token\b|\bstatic\(|\b(?:hx|django)_)"
)
# One word of each alternative: without any of them there is nothing to search for, which is told much faster.
_GIVEN_WORDS: Final = (
    *("ansible_", "inventory_hostname", "hostvars", "groups[", "lookup(", "cookiecutter.", "copier_", "site.", "page.", "ref("),
    *("source(", "config(", "is_incremental(", "invocation_id", "to_nice_", "automodule", "img_url", "url_for(", "csrf_token"),
    *("static(", "hx_", "django_", ".Values", ".Chart", ".Release", ".Capabilities", ".Site", ".Page", ".Params", "Permalink"),
    *(".Labels", ".Annotations", ".GroupLabels", ".CommonLabels", ".Alerts", ".TableOfContents"),
)
_MAIL_WORDS: Final = ("subject:", "unsubscribe", "reply stop")
_LICENCE_WORDS: Final = ("copyright", "all rights reserved", "hereby granted", "warranty")
_MAN_WORDS: Final = ("SYNOPSIS", "EXIT STATUS", "SEE ALSO", "ft=help")
_START: Final = late_pattern(
    r"\s*(?:#!|#cloud-config)|\s*(?:[#;!][^\n]*\n\s*)*(?:(?i:<!doctype|<html|<\?xml|<\?php|<VirtualHost)|\[[A-Z]\w+\]\s*\n\s*\w+\s*=|"
    r"FROM [\w./:-]+|apiVersion:|package \w+\s*$|%YAML|@startuml|\\documentclass|server\s*\{|-- |/\*|//)",
    re.MULTILINE,
)
_HTML: Final = late_pattern(
    r"</?(?:html|head|body|div|span|p|a|table|tr|td|th|section|article|nav|footer|header|main|img|h[1-6]|ul|ol|li|br|meta|link|script|"
    r"style|form|button)\b[^<>\n]*>",
    re.IGNORECASE,
)
_HTML_PAGE: Final = late_pattern(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_MAIL_LAYOUT: Final = late_pattern(
    r"\{\{~?#?>\s*[\"']?[\w./-]*\be?-?mails?\b|\{%-?\s*(?:extends|layout|include|render)\s*[\"'][\w./-]*\be?-?mails?\b",
    re.IGNORECASE,
)
_HTML_MIN: Final = 4
_SQL: Final = late_pattern(
    r"^\s*(?:select\s+(?:distinct\s+)?(?:\*|[\w.\"]+(?:\s+as\s+\w+)?\s*,|\w+\()[^!?]{0,2000}?\bfrom\s+[\w.\"]+\s*(?:[a-z]{1,2}\s*)?"
    r"(?:$|;|as\b|where\b)|create\s+(?:table|view|index)\s|insert\s+into\s|alter\s+table\s|with\s+\w+\s+as\s*\()",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED_UP: Final = late_pattern(r"^\.\. [\w-]+::|^\.(?:TH|SH|PP) ", re.MULTILINE)
_SALUTATION: Final = late_pattern(
    r"^[ \t]*(?:Dear|Hello|Hi|Hey|Good (?:morning|day|evening)|Sehr geehrte\w*|Liebe[rs]?|Hallo|Guten Tag|Bonjour|Cher|Chère|"
    r"Hola|Estimad[oa]|Ciao|Gentile|Prezad[oa]|Olá)\b[^\n.?;:]{0,60}[,!][ \t]*$",
    re.MULTILINE,
)
_GREETS: Final = late_pattern(r"\A\s*(?:Dear|Hello|Hi|Hey|Hallo|Liebe[rs]?|Bonjour|Hola|Ciao)\s+[^\s.?!;:]{1,40}(?:\s+x)?\s?[,!]")
_CLOSING: Final = late_pattern(
    r"^[ \t]*(?:(?:Kind|Best|Warm|With kind) (?:regards|wishes)|Regards|Sincerely|Yours\b|Cheers|Best wishes|Thanks|Thank you|"
    r"Mit freundlichen|Viele Grüße|Cordialement|Saludos|Cordiali saluti|Atenciosamente)\b[^\n]{0,40}$",
    re.MULTILINE,
)
_MAIL: Final = late_pattern(r"\A\s*Subject:\s|\bunsubscribe\b|\breply STOP\b", re.IGNORECASE)
_LICENCE: Final = late_pattern(
    r"\A[^\n]{0,80}\bcopyright\b|\ball rights reserved\b|\bhereby granted\b|\bwithout (?:any )?warranty\b", re.IGNORECASE
)
_VERSIONS: Final = late_pattern(
    r"^#{1,4} +\[?v?\d+\.\d+|^#{1,3} +(?:Changes|Changelog|Release notes|What['\u2019]s new|Version \d)", re.MULTILINE
)
_MAN: Final = late_pattern(r"^(?:SYNOPSIS|EXIT STATUS|SEE ALSO)$|\bft=help\b", re.MULTILINE)
_VERB: Final = late_pattern(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) +(?:https?://|/)\S*\{|https?://[^\s{}]*\{", re.MULTILINE)
# A field glued to the signs of paths, file names and identifiers on at least one side: /{id}/, app_{x}_total, {d}-{v}.whl.
_GLUED: Final = late_pattern(r"(?<=[/_@=~-])\{\w[\w.]*\}|\{\w[\w.]*\}(?=[/_@=~-]|\.\w)")
_FIELD: Final = late_pattern(r"\{[^\W\d]\w*[^{}\n]{0,40}\}")
# Each alternative starts with one certain character, which is looked for fast.
_TAGS: Final = late_pattern(r"\{#.{0,1000}?#\}|\{%.{0,400}?%\}|\$\{\{{0,2}[^{}\n]*\}{1,3}|\{\{{0,2}[^{}\n]*\}{1,3}", re.DOTALL)
_FENCE: Final = late_pattern(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1|\Z)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# Four plain words in a row, as sentences have and settings and code have not; scripts without blanks count by the letter.
_WORDS: Final = late_pattern(
    r"(?<![^\W\d_])(?:[^\W\d_]+(?:['\u2019-][^\W\d_]+)?[,;:.!?)\"”]{0,2}[ \t]+[(\"“]?){3,}[^\W\d_]+"
    r"|[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]+"
)
# Lines of settings, markup and code: a key and its value, an end such as ``;`` and ``{``, a section, a comment, a statement.
_CODE: Final = late_pattern(
    r"\s*(?:[\w.$\"'/@-]+[ \t]*[:+]?=|[\w.\"'-]+:(?:[ \t]+[^\s]+)?[ \t]*$"
    r"|[}\])]|//|/\*|\*/|!|;|-[ \t]+[\w.\"'-]+(?::.*)?$|\[[^\]\n]*\][ \t]*$|</?[\w-]+[^>\n]*>"
    r"|\*[ \t]|--[ \t]|#[\w!-]|from[ ]\w+[ ]import\b|[A-Z]{2,}[ \t]+[\w.\"'/@-]+|[^\n]*[;{}\\][ \t]*$"
    r"|(?:import|export|const|let|var|def|class|return|func|type|public|private|struct|enum)\b)"
)
# A line of one or two words, which may as well be an item of a list or a title: it counts where enough others are settings.
_BARE: Final = late_pattern(r"\s*[\w./*-]+(?:[ \t]+[\w./*-]+)?[ \t]*$")
_CODE_RATE, _SURE_RATE = 0.5, 0.2
_LINES_MIN: Final = 6
_CHARS_MIN: Final = 160
_LITTLE_RATE, _SOME_RATE = 0.25, 0.4


def other_signs(path: str, text: str) -> Iterator[Sign]:
    """Yield each sign that a file is no prompt.

    Args:
        path: with ``/``, in lower case.
        text: the whole text, tags and all.
    """
    yield from _place_signs(path)
    head = text[:_HEAD_CHARS]
    if _holds(head, _GIVEN_WORDS) and _GIVEN.search(head):
        yield 3, "its values are those of another program's templates"
    pieces = _TAGS.split(_FENCE.sub("", head) if "`" in head or "~~~" in head else head)
    plain = " x ".join(pieces)
    has_html = _has_html(plain)
    if has_html and _HTML_PAGE.match("".join(pieces)):
        # A page of tips gives orders too; for a model it takes more than those.
        yield 5, "its text is of another format"
    elif has_html or _START.match("".join(pieces)) or _SQL.search(plain) or _MARKED_UP.search(plain):
        yield 3, "its text is of another format"
    if "mail" in head and _MAIL_LAYOUT.search(head):
        yield 4, "its layout is one of mails"
    if (rate := _prose_rate(plain)) < _SOME_RATE:
        if _code_rate(plain) >= _CODE_RATE:
            yield 3, "its lines are settings or code"
        elif len(plain.strip()) >= _CHARS_MIN:
            yield 1 + (rate < _LITTLE_RATE), "its text has few sentences"
    yield from _reader_signs(without_html(plain))


def without_html(text: str) -> str:
    """Return ``text`` without the tags of HTML, which hide where lines and sentences start."""
    return _HTML.sub("", text) if "</" in text else text


def text_signs(path: str, text: str) -> Iterator[Sign]:
    """Yield the signs that only text with ``{name}`` fields has, as ``other_signs``."""
    if _MANUAL_FOLDER.search(path):
        yield 2, "its folder is one of manuals"
    fields = len(_FIELD.findall(text[:_HEAD_CHARS]))
    glued = len(_GLUED.findall(text[:_HEAD_CHARS]))
    if _VERB.search(text) or (fields and glued * 3 >= fields):
        yield 2, "its fields stand in paths and names"


def letter_signs(text: str) -> Iterator[Sign]:
    """Yield the sign that a text is a letter, if it is one, as ``other_signs``."""
    marks = sum(1 for sign in (_GREETS, _SALUTATION, _CLOSING) if sign.search(text))
    marks += _holds(text.casefold(), _MAIL_WORDS) and _MAIL.search(text) is not None
    if marks:
        yield (3 if marks > 1 else 1), "it is a letter or mail"


def _place_signs(path: str) -> Iterator[Sign]:
    if _INNER.search(path):
        yield 3, "its name ends like that of another format"
    elif _PAPER_INNER.search(path):
        yield 1, "its name ends like that of a document"
    elif _DATA_INNER.search(path):
        yield 1, "its name ends like that of data"
    if _DOCUMENT.search(path):
        yield 3, "its name is one of documents"
    if _OWN_FOLDER.search(path):
        yield 3, "its folder is one of other templates"
    elif _FOLDER.search(path):
        yield 2, "its folder is one of other templates"


def _reader_signs(plain: str) -> Iterator[Sign]:
    yield from letter_signs(plain)
    if _holds(plain.casefold(), _LICENCE_WORDS) and _LICENCE.search(plain):
        yield 3, "it is a licence"
    if _VERSIONS.search(plain):
        yield 2, "it lists versions"
    if _holds(plain, _MAN_WORDS) and _MAN.search(plain):
        yield 3, "it is a manual page"


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _has_html(plain: str) -> bool:
    return sum(1 for _, _ in zip(_HTML.finditer(plain), range(_HTML_MIN), strict=False)) >= _HTML_MIN


def _code_rate(plain: str) -> float:
    """Return the share of lines that are settings or code, 0 where there is too little to tell by."""
    lines = [line for line in plain.split("\n") if line.strip(" \tx")]
    sure = sum(1 for line in lines if _CODE.match(line))
    if len(lines) < _LINES_MIN or sure / len(lines) < _SURE_RATE:
        return 0.0
    return (sure + sum(1 for line in lines if _BARE.match(line) and not _CODE.match(line))) / len(lines)


def _prose_rate(plain: str) -> float:
    """Return the share of text that is in sentences; once it is known to be enough, the rest is not looked at."""
    letters, most = 0, max(1, len(plain.strip()))
    for match in _WORDS.finditer(plain):
        letters += len(match[0])
        if letters / most >= _SOME_RATE:
            break
    return letters / most
