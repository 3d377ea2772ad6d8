"""Forms in which libraries take instructions and settings, and what is said of parameters that are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Finding

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
HEAD = f'''\
import dspy
from datetime import datetime
from google import genai
from google.genai import types
from google.genai.types import GenerateContentConfig
from openai import OpenAI
from semantic_kernel import Kernel
from semantic_kernel.prompt_template import PromptTemplateConfig

RULES = "{RULES}"
client, google, kernel = OpenAI(), genai.Client(), Kernel()


class Answer(dspy.Signature):
    question: str = dspy.InputField()


'''
CLOCK = 'f"It is {datetime.now()}. {RULES}"'
FORMS = {
    "signature of the tree": "def made(now):\n    return Answer.with_instructions({})\n",
    "signature by text": "def made():\n    return dspy.Signature('question -> answer', {})\n",
    "signature of a predictor": "def made(step):\n    step.signature = step.signature.with_instructions({})\n",
    "template of a kernel": "def made():\n    return PromptTemplateConfig(template={}, name='x')\n",
    "template of a function": (
        "def made():\n    kernel.add_function('p', 'f', prompt_template_config=PromptTemplateConfig(template={}))\n"
    ),
    "function of a kernel": "def made():\n    return kernel.add_function(plugin_name='p', function_name='f', prompt={})\n",
    "call of a kernel": "async def made():\n    return await kernel.invoke_prompt({})\n",
    "settings of a request": (
        "def made(q):\n    return google.models.generate_content(\n"
        "        model='m', contents=q, config=GenerateContentConfig(system_instruction={}))\n"
    ),
    "settings alone": "def made():\n    return types.GenerateContentConfig(system_instruction={}, temperature=0)\n",
    "settings of a chat": (
        "def made():\n    return google.chats.create(model='m', config=GenerateContentConfig(system_instruction={}))\n"
    ),
    "settings of a cache": (
        "def made():\n    settings = types.CreateCachedContentConfig(system_instruction={}, contents=[RULES])\n"
        "    return google.caches.create(model='m', config=settings)\n"
    ),
}


def findings(folder: Path, code: str) -> tuple[Finding, ...]:
    """Return what is found in a program behind the head."""
    (folder / "app.py").write_text(HEAD + code, encoding="utf-8")
    return tuple(check_paths(CheckOptions(("app.py",), Settings(jobs=1), folder)).findings)


@pytest.mark.parametrize("code", FORMS.values(), ids=FORMS)
def test_a_clock_ahead_of_the_rules_is_found_in_each_form(tmp_path: Path, code: str) -> None:
    """The instructions are told for what they are, whatever takes them."""
    assert [found.rule for found in findings(tmp_path, code.format(CLOCK))] == ["RL201"]


@pytest.mark.parametrize("code", FORMS.values(), ids=FORMS)
def test_fixed_instructions_are_silent(tmp_path: Path, code: str) -> None:
    """Nothing in them changes."""
    assert findings(tmp_path, code.format("RULES")) == ()


@pytest.mark.parametrize("text", ["'{{$question}} ' + RULES", "'{{question}} ' + RULES"])
def test_fields_of_a_kernel_are_values(tmp_path: Path, text: str) -> None:
    """A field with or without a dollar is filled with each request."""
    found = findings(tmp_path, f"made = PromptTemplateConfig(template={text})\n")
    assert [one.rule for one in found] == ["RL101"]


def test_a_cache_without_a_time_to_live_is_one(tmp_path: Path) -> None:
    """A clock at the very end of what is cached makes another cache each time."""
    code = (
        "made = google.caches.create(model='m', config=types.CreateCachedContentConfig(contents=[RULES, f'{datetime.now()}']))\n"
    )
    assert [one.rule for one in findings(tmp_path, f"def ask():\n    {code}")] == ["RL205"]


ASKED = (
    "def ask(tools, question):\n    client.responses.create(\n"
    "        model='m', instructions=RULES, input=question, tools=tools, {})\n"
)
CHOSEN = {
    "condition": ("reasoning={'effort': 'high' if 'why' in question else 'low'}", "'high' if 'why' in question else 'low'"),
    "numbers": ("thinking={'budget_tokens': 9 if question else 1}", "9 if question else 1"),
    "list": ("tool_choice={'names': [n for n in pick(question)]}", "[n for n in pick(question)]"),
    "call": ("model=pick(question)", "pick(question)"),
}


@pytest.mark.parametrize(("code", "shown"), CHOSEN.values(), ids=CHOSEN)
def test_a_chosen_parameter_is_told_as_it_is_written(tmp_path: Path, code: str, shown: str) -> None:
    """The message names the source of what decides, and never nothing."""
    (found,) = (one for one in findings(tmp_path, ASKED.format(code)) if one.rule == "RL608")
    assert f"`{shown}`" in found.message
    assert found.severity.value == "info"


@pytest.mark.parametrize("inner", ["'tools': pick(question)", "'mode': 'auto', 'allowed_tools': {'tools': pick(question)}"])
def test_a_choice_of_allowed_tools_leaves_the_prompt_as_it_is(tmp_path: Path, inner: str) -> None:
    """The tools are all sent; the choice only says which of them may be called."""
    code = ASKED.format(f"tool_choice={{'type': 'allowed_tools', {inner}}}")
    assert "RL608" not in {one.rule for one in findings(tmp_path, code)}
