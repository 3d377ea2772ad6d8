"""Plant one defect in a healthy prompt: a value ahead of its first sentence, a time in a body, a cache mark too many.

Each plant is a replacement of text that occurs once, so that its line and column are known without reading the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEALTHY = Path(__file__).parent / "fixtures" / "healthy"

VALUES = (
    ("clock", "current_time", "RL201"),
    ("id", "request_id", "RL202"),
    ("user", "user_name", "RL101"),
    ("tenant", "tenant_name", "RL951"),
    ("history", "chat_history", "RL103"),
    ("retrieved", "retrieved_docs", "RL901"),
    ("counter", "turn_number", "RL206"),
    ("host", "hostname", "RL207"),
    ("locale", "user_locale", "RL952"),
)
"""A kind of defect, the name of a value of that kind, and the rule that tells it."""

JINJA, SINGLE, DOUBLE, GO, KERNEL, DIFY = "{{ % }}", "{%}", "{{%}}", "{{ .% }}", "{{$%}}", "{{#start.%#}}"

FIRST_WORDS = (
    ("ferry-desk.j2", "You are the information desk", JINJA),
    ("clinic-triage.j2", "You sort messages that patients", JINJA),
    ("partials/_house_rules.j2", "House rules of the editing desk", JINJA),
    ("proof-desk.j2", "{% include 'partials/_house_rules.j2' %}", JINJA),
    ("toolsmith-agent.j2", "You are an agent that keeps", JINJA),
    ("brand-voice.j2", "You write replies to reviews", JINJA),
    ("sql-helper.j2", "You turn questions into SQL", JINJA),
    ("manual-qa.j2", "You answer questions about the repair", JINJA),
    ("novel-companion.jinja2", "{% raw %}", JINJA),
    ("museum-guide-de.j2", "Du führst Besucherinnen", JINJA),
    ("ryokan-ja.j2", "あなたは山あいの", JINJA),
    ("kitchen.txt.j2", "You plan meals", JINJA),
    ("contract-review.jinja2", "You read supply contracts", JINJA),
    ("flow/summarise.jinja2", "You shorten letters", JINJA),
    ("greenhouse.prompty", "You advise people", JINJA),
    ("librarian.prompt", "You recommend books", DOUBLE),
    ("escape-room.hbs", "You are the voice", DOUBLE),
    ("payslip.mustache", "You explain payslips", DOUBLE),
    ("release-notes.tmpl", "You write release notes", GO),
    ("shop-search.liquid", "You rewrite what shoppers", JINJA),
    ("sk/Summarise/skprompt.txt", "You write minutes", KERNEL),
    ("sk/dispatch.yaml", "You choose which crew", KERNEL),
    ("invoices.baml", "You copy invoices", JINJA),
    ("langchain/tide.yaml", "You explain tides", SINGLE),
    ("langchain/apprentice.json", "You teach joinery", SINGLE),
    ("langchain/chat-dump.json", "You help beekeepers", SINGLE),
    ("langchain/chat.json", "You sort repair requests", SINGLE),
    ("llamaindex/letters.json", "You answer from letters", SINGLE),
    ("langfuse-onboarding.json", "You greet people", DOUBLE),
    ("promptfoo/promptfooconfig.yaml", "You match reports", DOUBLE),
    ("dify-complaints.yml", "You answer complaints", DIFY),
    ("nemo-prompts.yml", "Your task is to decide whether a message", JINJA),
    ("crew/agents.yaml", "You kept a hut", SINGLE),
    ("crew/tasks.yaml", "Read all reports", SINGLE),
    ("support-agents.yaml", "You are the returns desk", JINJA),
    ("chat-coach.yaml", "You coach people", JINJA),
    ("essay-grader.md", "You read essays", SINGLE),
    ("code-review.md", "You review changes", SINGLE),
    ("headlines.txt", "You write headlines", SINGLE),
    ("bodies/openai-template.json", "You compare offers", JINJA),
)
"""A file, how its fixed text begins, and how its format writes a value."""

SENT = (
    ("bodies/openai-chat.json", "You pick songs", "RL203"),
    ("bodies/openai-chat.yaml", "You name the knots", "RL203"),
    ("bodies/openai-responses.json", "You plan visits", "RL203"),
    ("bodies/anthropic-parks.json", "You answer for the parks office", "RL601"),
    ("bodies/anthropic-tools.json", "You help street musicians", "RL601"),
    ("bodies/gemini.json", "You describe old photographs", "RL203"),
    ("bodies/converse.json", "You sort letters", "RL601"),
)
"""A body as sent, how its system text begins, and the rule for a time or id there."""

STAMPED = (
    ("agent/AGENTS.md", "The service reads timetables"),
    ("agent/CLAUDE.md", "The rules of the project stand"),
    ("agent/skills/timetable/SKILL.md", "1. Find the header"),
)
"""A document for agents, and where its fixed text begins."""

TIME, UUID = "2026-03-04T05:06:07Z", "3b241101-e2bb-4255-8caf-4136c566a962"


@dataclass(frozen=True, slots=True)
class Plant:
    """One defect: in ``file`` ``old`` becomes ``new``; ``rule`` is to be found where ``value`` starts in ``new``.

    ``beside`` is another file that ``file`` names, in which the value is planted: its name, and what becomes what there.
    """

    file: str
    kind: str
    rule: str
    old: str
    new: str
    value: str
    beside: tuple[str, str, str] | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.kind}"

    def grow(self) -> tuple[str, int, int]:
        """Return the twin's text, and the line and column of the planted value, from 1.

        Raises:
            ValueError: the healthy file does not hold ``old``, or holds it twice.
        """
        text = (HEALTHY / self.file).read_text(encoding="utf-8")
        before, *rest = text.split(self.old)
        if len(rest) != 1:
            raise ValueError(f"{self.file}: {len(rest)} times {self.old!r}")
        ahead = before + self.new[: self.new.index(self.value)]
        return before + self.new + rest[0], ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n")


def plants() -> tuple[Plant, ...]:
    """Return all plants, always in the same order."""
    found = [
        _ahead(file, kind, rule, words, style.replace("%", name))
        for file, words, style in FIRST_WORDS
        for kind, name, rule in VALUES
    ]
    found += [
        _ahead(file, "random", "RL301", words, "{{ tips | random }}")
        for file, words, style in FIRST_WORDS
        if style == JINJA and file.endswith((".j2", ".jinja2"))
    ]
    found += [
        _ahead(file, kind, rule, words, value) for file, words, rule in SENT for kind, value in (("clock", TIME), ("id", UUID))
    ]
    found += [
        Plant(file, kind, "RL203", words, f"{label} {value}\n\n{words}", value)
        for file, words in STAMPED
        for kind, label, value in (("clock", "Generated at", TIME), ("id", "Session:", UUID))
    ]
    return (*found, *_in_first_of_batch(), *_FLOW, *_CHAT_TEMPLATES, *_MARKS)


def _ahead(file: str, kind: str, rule: str, words: str, value: str) -> Plant:
    return Plant(file, kind, rule, words, f"Note {value} first. {words}", value)


_CHAT_TEMPLATES = (
    Plant(
        "harbour-chat.jinja",
        "clock",
        "RL501",
        "{{- bos_token }}",
        "{{- bos_token }}\n{{- strftime_now('%d %b %Y %H:%M') }}",
        "{{- strftime_now",
    ),
    Plant(
        "harbour-chat.jinja",
        "moving-block",
        "RL502",
        "        {{- '<|user|>\\n' + message['content'] + '<|end|>\\n' }}",
        "        {%- if loop.last and tools %}\n        {{- tools | tojson }}\n        {%- endif %}\n"
        "        {{- '<|user|>\\n' + message['content'] + '<|end|>\\n' }}",
        "{{- tools | tojson }}",
    ),
    Plant(
        "model/tokenizer_config.json",
        "clock",
        "RL501",
        "{{ bos_token }}{% for",
        "{{ bos_token }}{{ strftime_now('%d %b %Y') }}{% for",
        "{{ strftime_now",
    ),
    Plant(
        "model/tokenizer_config.json",
        "moving-block",
        "RL502",
        "[ASK]{{ m['content'] }}",
        "[ASK]{% if loop.last %}{{ tools | tojson }}{% endif %}{{ m['content'] }}",
        "{{ tools | tojson }}",
    ),
)
_LONG_PREFIX = " ".join(f"Bird {n} calls {n % 5 + 2} notes, waits for {n % 7 + 1} beats, and calls again." for n in range(110))


def _in_first_of_batch() -> Iterator[Plant]:
    """Yield a time and an id in the first body of a file that holds several with one system text."""
    chat, cards = ("batch-chat", '"letter-0"', '"You find the date'), ("batch-anthropic", '"card-0"', '"You write the back')
    for file, name, words in ((f"bodies/{file}.json", name, words) for file, name, words in (chat, cards)):
        text = (HEALTHY / file).read_text(encoding="utf-8")
        old = text[text.index(name) : text.index(words) + len(words)]
        for kind, value in (("clock", TIME), ("id", UUID)):
            yield Plant(file, kind, "RL203", old, old.replace(words, f'"Note {value} first. {words[1:]}'), value)


_FLOW = tuple(
    Plant(
        "flow/flow.dag.yaml",
        kind,
        rule,
        "path: summarise.jinja2",
        "path: summarise.jinja2",
        "summarise.jinja2",
        ("flow/summarise.jinja2", "You shorten letters", f"Note {{{{ {name} }}}} first. You shorten letters"),
    )
    for kind, name, rule in VALUES
)
_FORM = f'Request time: {TIME}. The visitor writes from the web form."'
_BLOCK = '    {\n      "type": "text",\n      "text": "Request time'
_HELD = '{"type": "ephemeral", "ttl": "5m"}'
_SPRUCE = 'spruce in May."'
_MARKS = (
    Plant(
        "bodies/openai-chat.json",
        "clock-in-a-tool",
        "RL803",
        "Gives at most ten songs",
        f"As of {TIME}. Gives at most ten songs",
        TIME,
    ),
    Plant(
        "bodies/anthropic-tools.json",
        "id-in-a-tool",
        "RL803",
        "Lists what is booked",
        f"Run {UUID}. Lists what is booked",
        UUID,
    ),
    Plant(
        "bodies/anthropic-parks.json",
        "mark-behind-a-time",
        "RL601",
        _FORM,
        f'{_FORM}, "cache_control": {{"type": "ephemeral"}}',
        TIME,
    ),
    Plant(
        "bodies/anthropic-parks.json",
        "too-many-marks",
        "RL603",
        _BLOCK,
        "".join(f'{{"type": "text", "text": "Part {n}.", "cache_control": {_HELD}}},\n' for n in range(3))
        + f'{{"type": "text", "text": "The last part.",\n"cache_control": {{"type": "ephemeral"}}}},\n{_BLOCK}',
        '"cache_control": {"type": "ephemeral"}',
    ),
    Plant(
        "bodies/anthropic-short.json",
        "mark-below-minimum",
        "RL602",
        'say so."',
        'say so.", "cache_control": {"type": "ephemeral"}',
        '"cache_control"',
    ),
    Plant(
        "bodies/anthropic-short.json",
        "no-mark",
        "RL604",
        '"You name the birds',
        f'"{_LONG_PREFIX} You name the birds',
        _LONG_PREFIX,
    ),
    Plant(
        "bodies/anthropic-short.json",
        "mark-of-another-api",
        "RL610",
        _SPRUCE,
        f'{_SPRUCE}, "prompt_cache_breakpoint": {{"mode": "explicit"}}',
        '"prompt_cache_breakpoint"',
    ),
    Plant(
        "bodies/converse-tools.json",
        "mark-below-minimum",
        "RL602",
        'moment."\n    }',
        'moment."},\n{"cachePoint": {"type": "default"}}',
        '"cachePoint"',
    ),
    Plant(
        "bodies/openai-template.json",
        "id-as-user",
        "RL607",
        '"max_tokens": 600',
        '"user": "{{ request_id }}"',
        '"{{ request_id }}"',
    ),
    Plant(
        "bodies/openai-template.json",
        "user-chooses-the-model",
        "RL608",
        '"gpt-4o-mini"',
        '"{{ user.model }}"',
        '"{{ user.model }}"',
    ),
)
