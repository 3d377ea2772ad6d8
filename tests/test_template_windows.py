"""Windows over the history are known in each language of templates, by cuts and by tests; what never moves is none."""

from __future__ import annotations

import pytest
from test_value_rules import FIXED, found

WINDOWS = [
    ("tmpl", "{{ $n := 8 }}{{ range $i, $m := .History }}{{ if ge $i (sub (len $.History) $n) }}{{ $m.Text }}{{ end }}{{ end }}"),
    ("j2", "{% for m in history if loop.revindex < 9 %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in history %}{{ m.content if loop.revindex <= 4 else m.summary }}{% endfor %}"),
    ("liquid", "{% assign a = history.size | minus: 8 | at_least: 0 %}{% for m in history offset: a %}{{ m.text }}{% endfor %}"),
    ("tmpl", "{{ range slice .Messages (sub (len .Messages) 6) }}{{ .Content }}, {{ end }}"),
    ("tmpl", "{{ range $i, $m := .Messages }}{{ if gt $i (sub (len $.Messages) 6) }}{{ $m.Content }}, {{ end }}{{ end }}"),
    ("tmpl", "{{ range (last 6 .Messages) }}{{ .Content }}, {{ end }}"),
    (
        "tmpl",
        "{{ $n := sub (len .Messages) 6 }}{{ range $i, $m := .Messages }}{{ if ge $i $n }}{{ $m.Content }}, {{ end }}{{ end }}",
    ),
    ("tmpl", "{{ $recent := slice .Messages (sub (len .Messages) 6) }}{{ range $recent }}{{ .Content }}, {{ end }}"),
    ("hbs", "{{#each (slice history -6)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each (last history 6)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each (takeLast messages 6)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each (slice messages (subtract messages.length 6))}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each messages}}{{#if (gt @index (subtract ../messages.length 6))}}{{this.content}}{{/if}}{{/each}}"),
    ("hbs", "{{#each (recent history 6)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each (take (reverse history) 6)}}{{this.content}}{{/each}}"),
    ("j2", "{% for m in history %}{% if loop.revindex <= 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.index > messages|length - 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.revindex0 < 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% set recent = messages[-6:] %}{% for m in recent %}{{ m.content }}{% endfor %}"),
    ("j2", "{% set n = messages|length %}{% for m in messages[n-6:] %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages[messages|length-6:] %}{{ m.content }}{% endfor %}"),
    ("j2", '{% for m in (messages | selectattr("role","ne","system") | list)[-6:] %}{{ m.content }}{% endfor %}'),
    ("j2", "{% for m in messages|reverse %}{% if loop.index <= 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages if loop.index0 >= messages|length - 6 %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in (messages|reverse|list)[:6]|reverse %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in history[-max_turns:] | list %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if not loop.revindex > 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.length - loop.index < 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", '{{ (history | list)[-6:] | map(attribute="content") | join("\\n") }}'),
    ("j2", "{% set start = [0, messages|length - 6] | max %}{% for m in messages[start:] %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages.slice(-6) %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for i in range(messages|length - 6, messages|length) %}{{ messages[i].content }}{% endfor %}"),
    ("liquid", "{% for m in history limit: 6 offset: start %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% assign start = history.size | minus: 6 %}{% for m in history offset: start %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% assign recent = history | slice: -6, 6 %}{% for m in recent %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% for m in history %}{% if forloop.rindex <= 6 %}{{ m.content }}{% endif %}{% endfor %}"),
    (
        "liquid",
        "{% assign n = history.size | minus: 6 %}{% for m in history %}"
        "{% if forloop.index > n %}{{ m.content }}{% endif %}{% endfor %}",
    ),
    ("liquid", "{% assign r = history | reverse %}{% for m in r limit: 6 %}{{ m.content }}{% endfor %}"),
]

NO_WINDOWS = [
    ("tmpl", "{{ range slice .Messages 1 }}{{ .Content }}, {{ end }}"),
    ("tmpl", "{{ range $i, $m := .Messages }}{{ if gt $i 0 }}, {{ end }}{{ $m.Content }}{{ end }}"),
    (
        "tmpl",
        "{{ range $i, $m := .Messages }}{{ $m.Content }}"
        "{{ $last := eq (len (slice $.Messages $i)) 1 }}{{ if not $last }}, {{ end }}{{ end }}",
    ),
    ("tmpl", "{{ range $i, $m := .Messages }}{{ if lt $i (sub (len $.Messages) 1) }}{{ $m.Content }}, {{ end }}{{ end }}"),
    ("hbs", "{{#each (slice history 1)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each messages}}{{#unless @first}}{{/unless}}{{this.content}}{{#unless @last}},{{/unless}}{{/each}}"),
    ("hbs", "{{#each (slice messages 0 -1)}}{{this.content}}{{/each}}"),
    ("hbs", "{{#each (slice messages 0 2)}}{{this.content}}{{/each}}"),
    ("j2", "{% for m in messages[:1] %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages[1:] %}{{ m.content }}{% endfor %}"),
    (
        "j2",
        "{% for m in messages %}{% if loop.first %}Chat:{% endif %}{{ m.content }}{% if not loop.last %}{% endif %}{% endfor %}",
    ),
    ("j2", '{% for m in messages %}{{ m.content }}{{ "," if not loop.last }}{% endfor %}'),
    ("j2", "{% for m in messages %}{% if loop.revindex > 1 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages[:-1] %}{{ m.content }}{% endfor %}{{ messages[-1].content }}"),
    ("j2", "{% for m in messages[:messages|length - 1] %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.index0 > 0 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for e in examples[-3:] %}{{ e.text }}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}"),
    ("j2", "{% set messages = messages[1:] %}{% for m in messages %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.index <= 2 %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for e in examples %}{% if loop.revindex <= 3 %}{{ e.text }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages %}{{ m.content }}{% if loop.index != messages|length %}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages | batch(2) %}{{ m[0].content }}{{ m[1].content }}{% endfor %}"),
    ("j2", "{% for m in messages %}{% if loop.revindex <= 6 and m.images %}x{% endif %}{{ m.content }}{% endfor %}"),
    ("hbs", "{{#each (first history 3)}}{{this.content}}{{/each}}"),
    ("j2", "{% for m in messages[(messages|length // 6) * 6:] %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% for m in history limit: 6 offset: continue %}{{ m.content }}{% endfor %}"),
    (
        "tmpl",
        "{{ $last := sub (len .Messages) 1 }}{{ range $i, $m := .Messages }}{{ if lt $i $last }}"
        "{{ $m.Content }}, {{ end }}{{ end }}",
    ),
    ("hbs", "{{#with (last messages)}}{{content}}{{/with}}"),
    (
        "j2",
        "{% set start = messages|length - (messages|length % 10) - 10 %}"
        "{% for m in messages[start:] %}{{ m.content }}{% endfor %}",
    ),
    ("liquid", "{% for p in examples limit: 6 offset: start %}{{ p.text }}{% endfor %}"),
    (
        "tmpl",
        "{{ range $i, $m := .Messages }}{{ if le (len (slice $.Messages $i)) 1 }}{{ $m.Content }}"
        "{{ else }}{{ $m.Content }}, {{ end }}{{ end }}",
    ),
    ("hbs", "{{#each (last messages 1)}}{{content}}{{/each}}"),
    ("j2", "{% for m in messages %}{% if loop.revindex <= 6 %}**{% endif %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% assign m = history | last %}{{ m.content }}"),
    ("tmpl", "{{ range $i, $e := .Examples }}{{ if gt $i (sub (len $.Examples) 3) }}{{ $e.Text }}, {{ end }}{{ end }}"),
    ("hbs", "{{#each messages}}{{content}}{{#unless (eq @index (subtract ../messages.length 1))}},{{/unless}}{{/each}}"),
    ("j2", '{% set q = messages | selectattr("role","equalto","user") | list | last %}{{ q.content }}'),
    (
        "liquid",
        "{% assign n = history.size | divided_by: 6 | times: 6 %}{% for m in history offset: n %}{{ m.content }}{% endfor %}",
    ),
    ("tmpl", "{{ range slice .Messages (mul (div (len .Messages) 6) 6) }}{{ .Content }}, {{ end }}"),
    ("hbs", "{{#each (last examples 3)}}{{this.text}}{{/each}}"),
    ("j2", "{% for m in history[offset:] %}{{ m.content }}{% endfor %}"),
    (
        "liquid",
        "{% assign n = history.size | minus: 1 %}{% for m in history %}"
        "{% if forloop.index0 < n %}{{ m.content }}{% endif %}{% endfor %}",
    ),
    ("tmpl", "{{ with last .Messages }}{{ .Content }}{{ end }}"),
    ("j2", "{% for m in history[-1:] %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% assign m = history | slice: -1 %}{{ m.content }}"),
    ("j2", "{% for m in messages[::-1] %}{% if loop.first %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in messages|reverse|list|reverse %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for d in docs[-3:] %}{{ d.text }}{% endfor %}"),
    (
        "j2",
        "{% for m in history %}{% for p in m.parts %}{% if loop.revindex <= 3 %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}",
    ),
    ("j2", "{% for m in messages %}{% if loop.revindex <= 6 or m.pinned %}{{ m.content }}{% endif %}{% endfor %}"),
    ("j2", "{% for m in (history | list)[::2] %}{{ m.content }}{% endfor %}"),
    ("j2", "{% for m in messages %}{{ m.content }}{% if messages|length - loop.index > 1 %}, {% endif %}{% endfor %}"),
    ("j2", "{% for m in messages %}{{ m.content }}{% if loop.index == messages|length - 6 %}{% endif %}{% endfor %}"),
    ("j2", "{{ messages[-1].content[-200:] }}"),
    ("j2", "{% for m in history %}{{ m.content[-500:] }}{% endfor %}"),
    ("liquid", "{% for e in examples limit: 6 %}{{ e.content }}{% endfor %}"),
    ("liquid", "{% for m in history offset: 1 %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% for m in history limit: 2 %}{{ m.content }}{% endfor %}"),
    ("liquid", "{% for m in history %}{{ m.content }}{% unless forloop.last %}{% endunless %}{% endfor %}"),
    ("liquid", "{% for m in history limit: 6 offset: 1 %}{{ m.content }}{% endfor %}"),
]


@pytest.mark.parametrize(("kind", "text"), WINDOWS)
def test_the_newest_turns_alone_are_a_window(kind: str, text: str) -> None:
    """However a template picks the newest turns, it is a warning of RL701, once, and no other rule speaks of the history."""
    assert found(FIXED + text, kind) == ["13 RL701 warning"]


@pytest.mark.parametrize(("kind", "text"), NO_WINDOWS)
def test_what_does_not_move_with_each_turn_is_no_window(kind: str, text: str) -> None:
    """The first turns, all but the last, separators, blocks, one item, other lists: nothing is found."""
    assert found(FIXED + text, kind) == []


def test_a_batch_is_dropped_at_once() -> None:
    """The last batch of the history loses all turns at once and not one by one: that is a note."""
    text = "{% for m in history | batch(6) | last %}{{ m.content }}{% endfor %}"

    assert found(FIXED + text) == ["13 RL701 info"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("j2", "{% for m in messages | reverse %}{{ m.content }}{% endfor %}"),
        ("j2", "{{ messages[::-1] | map(attribute='content') | join(' ') }}"),
        ("liquid", "{% for m in history reversed limit: 6 %}{{ m.content }}{% endfor %}"),
        ("hbs", "{{#each (reverse history)}}{{this.content}}{{/each}}"),
        ("tmpl", "{{ range reverse .Messages }}{{ .Content }}{{ end }}"),
    ],
)
def test_the_newest_turn_first_puts_each_turn_in_front(kind: str, text: str) -> None:
    """A history that is printed from its end moves as a whole with each turn."""
    assert found(FIXED + text, kind) == ["13 RL705 warning"]


def test_deep_parentheses_are_read_to_a_depth() -> None:
    """Thousands of parentheses in a tag end in no error of ours."""
    text = "{{ range slice " + "(" * 5000 + ".Messages" + ")" * 5000 + " 6 }}{{ .Content }}{{ end }}"

    assert found(FIXED + text, "tmpl") == []


@pytest.mark.parametrize("tag", ["{% for m in . %}x{% endfor %}", "{% if . <= .. %}x{% endif %}", "{{ .. | slice: -6 }}"])
def test_odd_paths_of_liquid_are_read(tag: str) -> None:
    """Points alone are no path, and no error of ours."""
    assert found(FIXED + tag, "liquid") == []
