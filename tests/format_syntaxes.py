"""How each text format writes what the tests plant: a clock, an id, a user's name, the history, comments, raw text."""

from __future__ import annotations

from dataclasses import dataclass

RULES = "".join(
    f"Rule {number}: answer in plain words, quote the text you rely on, and never invent a number or a name.\n"
    for number in range(1, 13)
)


@dataclass(frozen=True, slots=True)
class Syntax:
    """One format: what stands ahead of the system text and between it and the user's turn, and how tags are written."""

    path: str
    clock: str
    request_id: str
    user: str
    history: str
    question: str
    comment: str
    raw: str | None
    head: str = ""
    turn: str = ""
    tail: str = ""

    def prompt(self, line: str) -> tuple[str, int]:
        """Return a prompt that has ``line`` ahead of the rules, and the number of that line."""
        head = self.head + "You help guests.\n"
        return f"{head}{line}\n{RULES}{self.turn}{self.question}\n{self.tail}", head.count("\n") + 1

    def healthy(self, line: str) -> str:
        """Return a prompt that has ``line`` behind the rules, ahead of the question."""
        return f"{self.head}You help guests.\n{RULES}{self.turn}{line}\n{self.question}\n{self.tail}"


_HANDLEBARS = Syntax(
    "p.hbs",
    "Now {{formatDate now 'HH:mm'}}",
    "Request {{requestId}}",
    "Guest {{user.name}}",
    "{{#each messages}}{{this.role}}: {{this.content}}{{/each}}",
    "{{question}}",
    "{{!-- {{now}} --}}",
    "\\{{now}}",
)

_GO = Syntax(
    "p.tmpl",
    '{{ now | date "2006-01-02 15:04" }}',
    "Request {{ uuidv4 }}",
    "Guest {{ .User.Name }}",
    "{{ range $i, $m := .Messages }}{{ $m.Role }}: {{ $m.Content }}{{ end }}",
    "{{ .Question }}",
    "{{- /* {{ now }} */ -}}",
    '{{ "{{ now }}" }}',
)

_LIQUID = Syntax(
    "p.liquid",
    "Now {{ 'now' | date: '%H:%M' }}",
    "Request {{ request_id }}",
    "Guest {{ user.name | upcase }}",
    "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}",
    "{{ question }}",
    "{% comment %}{{ now }}{% endcomment %}",
    "{% raw %}{{ now }}{% endraw %}",
)

_JINJA = Syntax(
    "p.txt",
    "Now {{ now().isoformat() }}",
    "Request {{ uuid4() }}",
    "Guest {{ user.name }}",
    "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}",
    "{{ question }}",
    "{# {{ now() }} #}",
    "{% raw %}{{ now() }}{% endraw %}",
)


def _like(syntax: Syntax, path: str, **changes: str | None) -> Syntax:
    values = {name: getattr(syntax, name) for name in Syntax.__dataclass_fields__}
    return Syntax(**{**values, "path": path, **changes})


_FRONT = "---\nname: hotel\ninputs:\n  question: {type: string}\n---\n"

SYNTAXES = (
    _HANDLEBARS,
    _like(_HANDLEBARS, "p.handlebars"),
    _like(
        _HANDLEBARS,
        "p.mustache",
        clock="Now {{current_time}}",
        history="{{#messages}}{{role}}: {{{content}}}{{/messages}}",
        comment="{{! the time now }}",
        raw=None,
    ),
    _like(
        _HANDLEBARS,
        "p.prompt",
        head='# Licence: free\n---\nmodel: m\ninput:\n  default: {now: x}\n---\n{{role "system"}}\n',
        turn='{{role "user"}}\n',
        history="{{history}}",
    ),
    _GO,
    _like(_GO, "p.gotmpl"),
    _like(_GO, "p.go.tmpl"),
    _like(_GO, "p.tpl"),
    _LIQUID,
    _JINJA,
    _like(_JINJA, "p.md"),
    _like(_JINJA, "roles.jinja2", head="# system:\n", turn="# user:\n"),
    _like(_JINJA, "roles.j2", head="{# first #}\nsystem:\n", turn="user:\n"),
    _like(_JINJA, "p.prompty", head=f"{_FRONT}system:\n", turn="\nuser:\n"),
    _like(_JINJA, "roles.prompt", head=f"{_FRONT}# system:\n", turn="\n# user:\n"),
    _like(_HANDLEBARS, "m.prompty", head="---\ntemplate: {format: mustache}\n---\nsystem:\n", turn="\nuser:\n"),
    _like(
        _JINJA,
        "named.j2",
        clock="Now [[ now().isoformat() ]]",
        request_id="Request [[ uuid4() ]]",
        user="Guest [[ user.name ]]",
        history="{% for m in messages %}[[ m.content ]]{% endfor %}",
        question="[[ question ]]",
        comment="{# [[ now() ]] #}",
        raw="{{ now() }}",
        head="#jinja2: variable_start_string:'[[', variable_end_string:']]'\n",
    ),
    Syntax(
        "skprompt.txt",
        "Now {{time.Now}}",
        "Request {{$request_id}}",
        "Guest {{$user_name}}",
        "{{$chat_history}}",
        "{{$question}}",
        "{{'the time now'}}",
        None,
        '<message role="system">',
        '</message>\n<message role="user">',
        "</message>\n",
    ),
    _like(
        _JINJA,
        "p.baml",
        head='function Help(question: string, user: User) -> string {\n  client M\n  prompt ##"\n',
        turn='{{ _.role("user") }}\n',
        tail='"##\n}\ntest T { args { x #"{{ now() }}"# } }\n',
    ),
)
