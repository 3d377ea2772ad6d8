"""Templates in each language: tools that are chosen, calls that give the history, names of the clock, mails, bodies of calls."""

from __future__ import annotations

import pytest
from test_nonprompts import _check
from test_value_rules import FIXED, found

END = {"tmpl": "{{ .Question }}"}
MAIL = """<!DOCTYPE html>
<html><body>
<h1>Welcome, {{user.name}}!</h1>
<p>Thank you for joining {{company}}. Here is what you can do next. Keep your password safe and never share it with anyone.</p>
<p>If you have any questions, reply to this message. Use the button below to open your account. Do not forward this mail.</p>
<p>Best regards, the team</p>
</body></html>
"""
LAID_OUT = """{{#> mail-layout title="Reset your password"}}
Hi {{user.firstName}},

we got a request to reset the password of your account. Use the link below within an hour. If you did not ask, ignore this.

{{link}}
{{/mail-layout}}
"""


def _first(text: str, kind: str = "j2", rules: int = 1) -> list[str]:
    """Return what is found in ``text`` ahead of fixed text, as line, rule and severity; the last ``rules`` of them."""
    return found(f"{text}\n{FIXED}{END.get(kind, '{{ question }}')}", kind)[-rules:]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("j2", "{% for t in tools if t.name in user.allowed %}{{ t.name }}{% endfor %}"),
        ("j2", "{% for t in tools %}{% if t.name in user.allowed %}{{ t.name }}{% endif %}{% endfor %}"),
        ("j2", "{% for t in user.tools %}{{ t.name }}{% endfor %}"),
        ("j2", "{% for t in select_tools(question) %}{{ t.name }}{% endfor %}"),
        ("j2", "{{ tools_for(user) }}"),
        ("j2", "{{ user_tools | join(', ') }}"),
        ("j2", "{% for t in tools_by_role[user.role] %}{{ t.name }}{% endfor %}"),
        ("j2", "{% if user.is_admin %}{% for t in admin_tools %}{{ t.name }}{% endfor %}{% endif %}"),
        ("j2", "{% if intent == 'book' %}{{ booking_tools }}{% endif %}"),
        ("hbs", "{{#each user.tools}}{{name}}{{/each}}"),
        ("hbs", "{{#each (lookup toolsByPlan user.plan)}}{{name}}{{/each}}"),
        ("tmpl", "{{ range index .ToolsByRole .User.Role }}{{ .Name }}{{ end }}"),
        ("hbs", '{{#each (filter tools "role" user.role)}}{{name}}{{/each}}'),
        ("hbs", "{{#if user.isAdmin}}{{#each adminTools}}{{name}}{{/each}}{{/if}}"),
        ("tmpl", "{{ range .User.Tools }}{{ .Name }}{{ end }}"),
        ("tmpl", "{{ range .GetTools .User }}{{ .Name }}{{ end }}"),
        ("tmpl", "{{ range .Tools }}{{ if has .Name $.User.Allowed }}{{ .Name }}{{ end }}{{ end }}"),
        ("liquid", "{% for t in user.tools %}{{ t.name }}{% endfor %}"),
        ("liquid", "{% assign mine = tools | where: 'role', user.role %}{% for t in mine %}{{ t.name }}{% endfor %}"),
    ],
)
def test_tools_of_someone_or_for_something_are_chosen(kind: str, text: str) -> None:
    """Tools by user, by question or under a test of either vary per request, however that is written."""
    told = _first(text, kind, rules=2)
    assert "1 RL801 warning" in told
    assert "1 RL101 warning" not in told


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("j2", "{% for t in tools if t.enabled and not t.hidden %}{{ t.name }}{% endfor %}"),
        ("j2", "{% for t in tools if loop.index < 5 %}{{ t.name }}{% endfor %}"),
        ("j2", "{{ get_tools() }}"),
        ("j2", "{{ admin_tools }}"),
        ("j2", "{% if tools %}{% for t in tools %}{{ t.name }}{% endfor %}{% endif %}"),
        ("j2", "{% if question %}{% for t in tools %}{{ t.name }}{% endfor %}{% endif %}"),
        ("j2", "{{ tool.format(query) }}"),
        ("j2", "{{ tools | join(user.sep) }}"),
        ("j2", "{{ user.favourite_tool }}"),
        ("hbs", "{{#each (sort tools)}}{{name}}{{/each}}"),
        ("tmpl", "{{ range .Registry.Tools }}{{ .Name }}{{ end }}"),
    ],
)
def test_tools_that_are_the_same_for_all_are_not_chosen(kind: str, text: str) -> None:
    """A test of the tool itself, a registry, whether there are any, and other uses of the word are no choice."""
    assert not any("RL801" in told for told in _first(text, kind, rules=9))


def test_the_lookup_of_handlebars_is_an_index() -> None:
    """Its built-in helper picks a field by a name, and retrieves nothing."""
    assert _first("{{lookup titles lang}}", "hbs") == ["1 RL952 info"]


def test_chosen_tools_at_the_end_cost_nothing() -> None:
    """Where nothing stands behind them, tools of a user break nothing."""
    assert found(f"{FIXED}{{{{ question }}}}{{% for t in user.tools %}}{{{{ t.name }}}}{{% endfor %}}") == []


@pytest.mark.parametrize(
    "call", [".GetHistory", "getHistory 10", ".Store.Messages", "(call .History)", ".LoadHistory .User.ID", "slice .Messages 1"]
)
def test_what_a_call_of_go_returns_is_its_items_too(call: str) -> None:
    """The fields of what a call gives are the history that it returns, and no input of their own."""
    assert (
        found(f"{FIXED}{{{{ range {call} }}}}{{{{ .Role }}}}: {{{{ .Content }}}}\n{{{{ end }}}}{{{{ .Question }}}}", "tmpl") == []
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("jetzt", "1 RL201 error"),
        ("hora_actual", "1 RL201 error"),
        ("heure_actuelle", "1 RL201 error"),
        ("agora", "1 RL201 error"),
        ("現在時刻", "1 RL201 error"),
        ("当前时间", "1 RL201 error"),
        ("текущее_время", "1 RL201 error"),
        ("heute", "1 RL201 info"),
        ("aujourd_hui", "1 RL201 info"),
        ("fecha_actual", "1 RL201 info"),
        ("今日", "1 RL201 info"),
        ("x.strftime('%Y-%m-%d %H:%M:%S')", "1 RL201 error"),
        ("ctx.stand | strftime('%H:%M:%S')", "1 RL201 error"),
        # The time of one event stays what it is; nothing says whose, so it is a guess.
        ("start_time", "1 RL101 info"),
        ("session_start_time", "1 RL101 warning"),
        ("deadline.strftime('%H:%M:%S')", "1 RL101 info"),
        ("event.start.strftime('%H:%M:%S')", "1 RL101 info"),
        ("x.strftime('%H:%M')", "1 RL101 info"),
        ("datum", "1 RL101 info"),
        ("注文日付", "1 RL101 info"),
        ("zeitplan", "1 RL101 info"),
    ],
)
def test_names_of_the_clock(value: str, expected: str) -> None:
    """The clock is known in other languages and by its seconds; a day is a note; a record's own time is no clock."""
    assert _first(f"Stand: {{{{ {value} }}}}") == [expected]


@pytest.mark.parametrize(("name", "text"), [("welcome.hbs", MAIL), ("welcome.j2", MAIL), ("reset.hbs", LAID_OUT)])
def test_a_mail_is_no_prompt(name: str, text: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A page of HTML that gives its reader tips, and a letter in a layout of mails, are passed over."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "p.j2").write_text(f"{FIXED}{{{{ question }}}}", encoding="utf-8")

    report = _check(tmp_path)

    assert [skipped.path for skipped in report.skipped] == []
    assert report.findings == ()
    assert report.prompts == 1


def test_a_prompt_in_html_is_a_prompt() -> None:
    """Tags of HTML do not hide that a text addresses a model."""
    body = "".join(f"<p>{line}</p>\n" for line in FIXED.splitlines())
    page = f"<html><body>\n<p>You are a helpful assistant.</p>\n<p>{{{{ now() }}}}</p>\n{body}<p>{{{{question}}}}</p></body>\n"

    assert any("RL201" in told for told in found(page))


def test_a_call_block_prints_its_body_where_it_stands() -> None:
    """A loop or value in the body of ``call`` is told at its own line, also through two macros."""
    macros = (
        "{% macro box() %}<b>{{ caller() }}</b>{{ uuid4() }}{% endmacro %}{% macro b() %}({{ caller() | trim }}){% endmacro %}\n"
    )
    body = (
        "{% call box() %}\n{% call b() %}\n{% for d in docs %}{{ d.text }}{% endfor %}\n{{ now() }}\n{% endcall %}{% endcall %}\n"
    )

    assert found(macros + body + FIXED) == ["2 RL202 error", "4 RL901 error", "5 RL201 error"]
