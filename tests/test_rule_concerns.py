"""A rule that a prompt does not concern finds nothing in it, and so need not be run."""

from __future__ import annotations

from radixlint.catalog import load_rules
from radixlint.errors import SourceError
from radixlint.files.text_includes import TextIncludes
from radixlint.lint import classified
from radixlint.lint.rule_plugins import runnable
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import read_prompts
from radixlint.stake.traits import traits_of


def _prompts() -> list[Prompt]:
    """Return the prompts of all rules' examples, classified."""
    found: list[Prompt] = []
    for example in (one for rule in load_rules() for one in (*rule.passing, *rule.failing)):
        try:
            read = read_prompts(SourceText(f"a.{example.kind}", example.text), TextIncludes(dict(example.files)))
        except SourceError:
            continue
        found.extend(classified(prompt, {}) for prompt in (read.prompts if read else ()) if prompt.chat_template is None)
    return found


def test_what_does_not_concern_a_prompt_has_no_hit_in_it() -> None:
    """For every example of every rule, rules passed over by the prompt's traits would have found nothing, and many are."""
    rules = load_rules()
    passed = run = 0
    for prompt in _prompts():
        traits = traits_of(prompt)
        for loaded in runnable(rules, prompt.kind).finding:
            if loaded.concerns(traits):
                run += 1
            else:
                passed += 1
                assert not list(loaded.find(prompt, lambda text: len(text.split()))), (loaded.rule.id, prompt.path)

    assert passed > run
