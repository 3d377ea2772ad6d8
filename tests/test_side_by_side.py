"""A list that functions fill side by side has the order in which they get there; what is waited for in turn keeps its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
PYTHON = f'''\
import asyncio
from concurrent.futures import ThreadPoolExecutor, as_completed
from openai import AsyncOpenAI

RULES = "{RULES}"
client = AsyncOpenAI()


def send(tools, question):
    return client.chat.completions.create(model="m", tools=tools, messages=[
        {{"role": "system", "content": RULES}}, {{"role": "user", "content": question}}])


'''
SCRIPT = f"""import OpenAI from "openai";
const RULES = "{RULES}";
const client = new OpenAI();
const send = (tools: Tool[], q: string) => client.chat.completions.create({{
  model: "m", tools, messages: [{{ role: "system", content: RULES }}, {{ role: "user", content: q }}] }});
"""
IN_PYTHON = "async def ask(sources, question):\n    tools = []\n{}    return await send(tools, question)\n"
IN_SCRIPT = (
    "export async function ask(sources: Source[], q: string) {{\n  const tools: Tool[] = [];\n{}  return send(tools, q);\n}}\n"
)
LOAD = "    async def load(source):\n        tools.extend(await source.load())\n"
POOL = "    with ThreadPoolExecutor() as pool:\n        jobs = [pool.submit(source.load) for source in sources]\n"
UNSTEADY = {
    "gather.py": f"{LOAD}    await asyncio.gather(*[load(source) for source in sources])\n",
    "mapped.py": f"{LOAD}    await asyncio.gather(*map(load, sources))\n",
    "group.py": (
        f"{LOAD}    async with asyncio.TaskGroup() as group:\n        for source in sources:\n"
        "            group.create_task(load(source))\n"
    ),
    "finished.py": f"{POOL}        for job in as_completed(jobs):\n            tools.append(job.result())\n",
    "callback.py": f"{POOL}        for job in jobs:\n            job.add_done_callback(lambda job: tools.append(job.result()))\n",
    "threads.py": (
        "    def load(source):\n        tools.append(source.load())\n    with ThreadPoolExecutor() as pool:\n"
        "        for source in sources:\n            pool.submit(load, source)\n"
    ),
    "all.ts": "  await Promise.all(sources.map(async (s) => { tools.push(...(await s.load())); }));\n",
    "then.ts": "  await Promise.all(sources.map((s) => s.load().then((found) => tools.push(...found))));\n",
    "each.ts": "  sources.forEach(async (s) => { const found = await s.load(); tools.push(found); });\n",
    "race.ts": (
        "  const open = new Map(sources.map((s) => [s.name, s.load()]));\n  while (open.size) {\n"
        "    const first = await Promise.race(open.values());\n    tools.push(first.tool);\n    open.delete(first.name);\n  }\n"
    ),
}
STEADY = {
    "in_turn.py": f"{LOAD}    for source in sources:\n        await load(source)\n",
    "given_back.py": (
        "    found = await asyncio.gather(*[source.load() for source in sources])\n"
        "    tools = [tool for one in found for tool in one]\n"
    ),
    "in_order.py": f"{POOL}        for job in jobs:\n            tools.append(job.result())\n",
    "mapped.py": (
        "    with ThreadPoolExecutor() as pool:\n        tools.extend(pool.map(lambda source: source.load(), sources))\n"
    ),
    "sorted.py": (
        f"{LOAD}    await asyncio.gather(*[load(source) for source in sources])\n    tools.sort(key=lambda t: t['name'])\n"
    ),
    "by_number.py": (
        "    found = {}\n    with ThreadPoolExecutor() as pool:\n"
        "        jobs = {pool.submit(source.load): at for at, source in enumerate(sources)}\n"
        "        for job in as_completed(jobs):\n            found[jobs[job]] = job.result()\n"
        "    tools = [found[at] for at in range(len(sources))]\n"
    ),
    "of_its_own.py": (
        "    async def load(source):\n        own = []\n        own.extend(await source.load())\n        return own\n"
        "    tools = [one for found in await asyncio.gather(*map(load, sources)) for one in found]\n"
    ),
    "in_turn.ts": "  for (const s of sources) { tools.push(...(await s.load())); }\n",
    "given_back.ts": "  tools.push(...(await Promise.all(sources.map((s) => s.load()))).flat());\n",
    "one.ts": "  await load().then((found) => { tools.push(...found); });\n",
    "timeout.ts": "  for (const s of sources) { tools.push(await Promise.race([s.load(), late(500)])); }\n",
    "sorted.ts": (
        "  await Promise.all(sources.map(async (s) => { tools.push(...(await s.load())); }));\n"
        "  tools.sort((a, b) => a.name.localeCompare(b.name));\n"
    ),
}


def orders(folder: Path, name: str, code: str) -> set[str]:
    """Return the rules of the warnings about orders in a program."""
    head, body = (SCRIPT, IN_SCRIPT) if name.endswith(".ts") else (PYTHON, IN_PYTHON)
    (folder / name).write_text(head + body.format(code), encoding="utf-8")
    findings = check_paths(CheckOptions((name,), Settings(jobs=1), folder)).findings
    return {f.rule for f in findings if f.rule in ("RL302", "RL303", "RL305", "RL802")}


@pytest.mark.parametrize("name", UNSTEADY)
def test_what_comes_in_as_it_is_finished_has_no_steady_order(tmp_path: Path, name: str) -> None:
    """Which of many is ready first differs from run to run."""
    assert orders(tmp_path, name, UNSTEADY[name]) == {"RL305"}


@pytest.mark.parametrize("name", STEADY)
def test_what_keeps_the_order_of_the_sources_is_silent(tmp_path: Path, name: str) -> None:
    """Waited for in turn, given back in order, sorted, put under a key of its own, or one alone."""
    assert orders(tmp_path, name, STEADY[name]) == set()
