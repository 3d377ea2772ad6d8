"""Programs of other kinds use the same words: tools of a build, a history of files, prose for people. Each stands by its twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = (
    'RULES = """You answer questions for the city library in short and friendly words.\n'
    "Loans last four weeks and can be renewed twice unless someone waits.\n"
    "Late items cost twenty cents a day, never more than the price of the item.\n"
    "Rooms are booked at the desk, two hours a day for each card.\n"
    "Never give out what another reader has borrowed, even to family.\n"
    'If you are not sure, say so and name the desk that knows."""\n'
)
SEND = "    return client.chat.completions.create(model='m', messages=messages)\n"
ADVICE = "You must install the parts that are missing first. You should never delete {folder}, and always keep a copy of the "
ADVICE += "table of contents at hand. Do not follow links in {folder} that lead to other disks, and fill in the form of the desk."

BUILT = "{'type': 'function', 'function': {'name': t.name, 'parameters': t.inputSchema}}"
TOOLS = "async def step(client, session, messages):\n    remote = await session.list_tools()\n"
SENT = "    return await client.chat.completions.create(model='m', tools=tools, messages=messages)\n"

SILENT = {
    "table-of-settings": (
        "def settings(config):\n    tool_table = config.get('tool', {})\n    return {k: str(v) for k, v in tool_table.items()}\n"
    ),
    "tools-of-a-build": "def convert(tools):\n    tool_list = []\n    for tool, given in tools.items():\n"
    "        tool_list.append({'name': tool, 'given': given})\n    return tool_list\n",
    "functions-of-a-module": "def ask(model, thing):\n    functions = [f for f in vars(thing).values()]\n    return functions\n",
    "calls-of-tools-in-a-message": "def keep(messages, delta):\n    calls = []\n    for call in delta.calls.values():\n"
    "        function = {'name': call.name, 'arguments': call.given or '{}'}\n"
    "        calls.append({'id': call.id, 'type': 'function', 'function': function})\n"
    "    messages.append({'role': 'assistant', 'content': 'x', 'tool_calls': calls})\n",
    "history-of-blocks": "import collections\n\nclass Reader:\n    def __init__(self, most):\n"
    "        self._history = collections.deque(maxlen=most)\n",
    "docstring": f'class Chat:\n    """{ADVICE}"""\n',
    "advice-to-people": f"def tell(folder):\n    text = f'{ADVICE}'\n    return text\n",
    "error-of-a-chat": f"def chat(folder):\n    error = f'{ADVICE}'\n    return error\n",
    "system-prompt-with-a-default": f"{RULES}\nclass Desk:\n    def __init__(self, prompt=None):\n"
    "        self.messages = [{'role': 'system', 'content': prompt or RULES}]\n\n"
    "    def ask(self, client, question):\n        self.messages.append({'role': 'user', 'content': question})\n"
    "        return client.chat.completions.create(model='m', messages=self.messages)\n",
    "sorted-as-they-are-built": f"{TOOLS}    tools = sorted([{BUILT} for t in remote.tools],"
    f" key=lambda t: t['function']['name'])\n{SENT}",
    "sorted-once-they-are-built": f"{TOOLS}    built = [{BUILT} for t in remote.tools]\n"
    f"    tools = sorted(built, key=lambda t: t['function']['name'])\n{SENT}",
    "question-at-the-terminal": f"import datetime\n\n{RULES}\ndef main():\n"
    "    prompt = f'[{datetime.datetime.now():%H:%M}] {RULES}'\n    return input(prompt)\n",
}
FOUND = {
    "sorted-in-another-function": (
        {"RL802"},
        f"{TOOLS}    tools = [{BUILT} for t in remote.tools]\n    return await client.offer(tools)\n\n"
        "def names(tools):\n    tools = sorted(tools)\n    return tools\n",
    ),
    "asked-in-another-function": (
        {"RL201"},
        f"import datetime\n\n{RULES}\ndef main(ask):\n"
        "    prompt = f'[{datetime.datetime.now():%H:%M}] {RULES}'\n    return ask(prompt)\n\n"
        "def wait(prompt):\n    return input(prompt)\n",
    ),
    "as-they-are-listed": ({"RL802"}, f"{TOOLS}    tools = [{BUILT} for t in remote.tools]\n{SENT}"),
    "text-for-a-model": (
        {"RL201"},
        f"import datetime\n\n{RULES}\ndef main(ask):\n"
        "    prompt = f'[{datetime.datetime.now():%H:%M}] {RULES}'\n    return ask(prompt)\n",
    ),
    "tools-of-a-model": (
        {"RL802"},
        "def schemas(tools):\n    tool_list = []\n    for tool, given in tools.items():\n"
        "        tool_list.append({'name': tool, 'input_schema': given})\n    return tool_list\n",
    ),
    "registry-of-a-model": ({"RL802"}, "class Model:\n    def offered(self):\n        return list(self.tools.values())\n"),
    "tools-of-a-connection": (
        {"RL802"},
        "async def load(stack, connect, params, allowed):\n    session = await stack.enter_async_context(connect(params.url))\n"
        "    tools = (await session.list_tools()).tools\n    return [tool for tool in tools if tool.name in allowed]\n",
    ),
    "history-of-a-chat": (
        {"RL701"},
        "from collections import deque\n\nclass Chat:\n    def __init__(self, most):\n"
        "        self.history = deque(maxlen=most)\n",
    ),
    "advice-to-a-model": ({"RL101"}, f"{RULES}\ndef tell(folder):\n    return f'{{folder}} {{RULES}}'\n"),
    "hash-of-a-user": (
        {"RL306"},
        f"{RULES}\ndef ask(client, user_id, q):\n    text = f'{{hash(user_id)}} {{RULES}}'\n"
        "    messages = [{'role': 'system', 'content': text}, {'role': 'user', 'content': q}]\n" + SEND,
    ),
    "prompt-of-a-user": (
        {"RL101"},
        f"{RULES}\ndef ask(client, prompt):\n"
        "    messages = [{'role': 'user', 'content': prompt}, {'role': 'system', 'content': RULES}]\n" + SEND,
    ),
}


def _rules(folder: Path, code: str) -> set[str]:
    (folder / "part.py").write_text(code, encoding="utf-8")
    report = check_paths(CheckOptions(arguments=("part.py",), settings=Settings(), start=folder))
    return {finding.rule for finding in report.findings}


@pytest.mark.parametrize("sense", SILENT)
def test_other_senses_are_silent(sense: str, tmp_path: Path) -> None:
    """Words that also go with models give not even a note where nothing else says that a model is meant."""
    assert _rules(tmp_path, SILENT[sense]) == set()


@pytest.mark.parametrize("sense", FOUND)
def test_the_sense_of_models_is_found(sense: str, tmp_path: Path) -> None:
    """The same form is found, once, where the file shows a model."""
    rules, code = FOUND[sense]

    assert _rules(tmp_path, code) == rules
