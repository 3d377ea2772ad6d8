"""What calls of JavaScript do to clocks, ids, orders and data, from source to finding."""

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
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days. Refunds are given "
    "until the evening before the trip; later only a voucher is possible. When a guest is angry, say sorry once, state the fact."
)
HEAD = f"""import {{ generateText, tool }} from "ai";
import {{ readdir }} from "fs/promises";
import fs from "node:fs";
import {{ v4 as uuidv4 }} from "uuid";
import {{ format }} from "date-fns";
import dayjs from "dayjs";
import {{ stripIndents }} from "common-tags";
import {{ execSync }} from "node:child_process";
import os from "node:os";
import {{ globSync }} from "glob";
import {{ DateTime }} from "luxon";
import {{ createId }} from "@paralleldrive/cuid2";
const RULES = "{RULES}";
let counter = 0;
"""

CASES = [
    ("`At ${new Date().toISOString()} `", "RL201 warning"),
    ("`At ${new Date()} `", "RL201 warning"),
    ("`At ${new Date().toString()} `", "RL201 warning"),
    ("'At ' + Date.now()", "RL201 warning"),
    ("`At ${performance.now()} `", "RL201 warning"),
    ("`At ${dayjs().format('YYYY-MM-DD HH:mm')} `", "RL201 warning"),
    ("`At ${format(new Date(), 'HH:mm')} `", "RL201 warning"),
    ("['At ', new Date().toISOString()].join('')", "RL201 warning"),
    ("'At {{now}} '.replace('{{now}}', new Date().toISOString())", "RL201 warning"),
    (r"'At {{ now }} '.replace(/\{\{\s*now\s*\}\}/g, new Date().toISOString())", "RL201 warning"),
    ("'At %NOW% '.replaceAll('%NOW%', () => new Date().toISOString())", "RL201 warning"),
    ("JSON.stringify({ at: new Date(), a: 1 })", "RL201 warning"),
    ("stripIndents`At ${Date.now()} ${RULES}`", "RL201 warning"),
    ("String.raw`At ${Date.now()} ${RULES}`", "RL201 warning"),
    ("((now = new Date()) => `At ${now.toISOString()} `)()", "RL201 warning"),
    ("`On ${new Date().toISOString().slice(0, 10)} `", "RL201 info"),
    ("`On ${new Date().toISOString().split('T')[0]} `", "RL201 info"),
    ("`On ${new Date().toLocaleDateString()} `", "RL201 info"),
    ("`On ${new Date().getFullYear()} `", "RL201 info"),
    ("`On ${dayjs().format('YYYY-MM-DD')} `", "RL201 info"),
    ("`On ${format(new Date(), 'yyyy-MM-dd')} `", "RL201 info"),
    ("`On ${new Intl.DateTimeFormat('en').format(new Date())} `", "RL201 info"),
    ("`On ${new Date('2024-05-01').toISOString()} `", ""),
    ("`Id ${crypto.randomUUID()} `", "RL202 warning"),
    ("`Id ${uuidv4()} `", "RL202 warning"),
    ("`Roll ${Math.floor(Math.random() * 6)} `", "RL301 warning"),
    ("`Call ${++counter} `", "RL206 warning"),
    ("['a', 'b'].sort(() => Math.random() - 0.5).join(' ')", "RL301 warning"),
    ("['b', 'a'].toSorted().join(' ')", ""),
    ("[...new Set(['a', 'b'])].join(' ')", ""),
    ("Array.from(new Set(['a', 'b'])).join(' ')", ""),
    ("Array.from(new Map([['a', 'b']]).entries()).map(([k, v]) => `${k}=${v}`).join(' ')", ""),
    ("Object.entries({ a: 'x', b: 'y' }).map(([k, v]) => `${k}=${v}`).join(' ')", ""),
    ("JSON.stringify({ a: 1, b: [1, 2] })", ""),
    ("(await Promise.all(['a', 'b'].map(async (x) => `- ${x}`))).join(' ')", ""),
    ("(await readdir('docs')).join(' ')", "RL305 warning"),
    ("fs.readdirSync('docs').join(' ')", "RL305 warning"),
    ("fs.readdirSync('docs').sort().join(' ')", ""),
    ("['a', 'b'].filter(Boolean).flatMap((x) => [x]).concat(['c']).join(' ')", ""),
    ("`${process.env.REGION} `", ""),
    ("+new Date()", "RL201 warning"),
    ("(new Date() - 0)", "RL201 warning"),
    ("typeof Date.now()", ""),
    ("new Date().toLocaleString('en', { dateStyle: 'short' })", "RL201 info"),
    ("new Date().toLocaleDateString('en', { hour: '2-digit' })", "RL201 warning"),
    ("new Intl.DateTimeFormat('en').format()", "RL201 info"),
    ("new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format()", "RL201 warning"),
    ("DateTime.now().toISODate()", "RL201 info"),
    ("Temporal.Now.plainDateISO().toString()", "RL201 info"),
    ("process.uptime()", "RL201 warning"),
    ("execSync('date')", "RL201 warning"),
    ("createId()", "RL202 warning"),
    ("os.userInfo().username", "RL207 info"),
    ("os.platform()", ""),
    ("Array.from({ length: 3 }, () => uuidv4()).join(' ')", "RL202 warning"),
    ("Array.from({ length: 3 }, (_, at) => `rule ${at}`).join(' ')", ""),
    ("[...new Map([['a', Date.now()]])].map(([k, v]) => `${k}=${v}`).join(' ')", "RL201 warning"),
    ("[...new Map([['a', 'b']])].map(([k, v]) => `${k}=${v}`).join(' ')", ""),
    ("['a', 'b'].reduce((sum, x) => sum + x + Date.now(), '')", "RL201 warning"),
    ("['a', 'b'].reduce((sum, x) => `${sum}- ${x}`, '')", ""),
    ("fs.readdirSync('docs').sort().map((f) => `- ${f}`).join(' ')", ""),
    ("globSync('*.md').join(' ')", "RL305 warning"),
    ("`Call ${() => 1} `", ""),
]


def findings(folder: Path, code: str) -> list[Finding]:
    """Return the findings on a file."""
    (folder / "app.ts").write_text(code, encoding="utf-8")
    return list(check_paths(CheckOptions(("app.ts",), Settings(jobs=1), folder)).findings)


@pytest.mark.parametrize(("value", "expected"), CASES, ids=[value for value, _ in CASES])
def test_what_stands_ahead_of_fixed_text(value: str, expected: str, tmp_path: Path) -> None:
    """The rule on what a value of JavaScript is; errors count as warnings; nothing for what is the same on every call."""
    sent = f"{HEAD}export const ask = async () => generateText({{ model: m, system: ({value}) + RULES, prompt: 'x' }});\n"
    told = {f"{f.rule} {'warning' if f.severity.value == 'error' else f.severity.value}" for f in findings(tmp_path, sent)}
    assert told - {"RL961 warning", "RL961 info"} == ({expected} if expected else set())


SENT = "`At ${new Date().toISOString()} ${RULES}`"
SINKS = [
    "new OpenAI().chat.completions.create({ model: 'm', messages: [{ role: 'system', content: @ }] })",
    "new OpenAI().responses.create({ model: 'm', instructions: @, input: 'x' })",
    "new Anthropic().messages.create({ model: 'm', max_tokens: 5, system: @, messages: [{ role: 'user', content: 'x' }] })",
    "generateText({ model: m, system: @, prompt: 'x' })",
    "streamText({ model: m, system: @, messages: turns })",
    "generateObject({ model: m, schema, system: @, prompt: 'x' })",
    "new ChatOpenAI({}).invoke([new SystemMessage(@), new HumanMessage('x')])",
    "new ChatOpenAI({}).invoke([['system', @], ['human', 'x']])",
    "ChatPromptTemplate.fromMessages([['system', @], ['human', '{question}']])",
    "new Agent({ name: 'a', model: m, instructions: @ })",
    "fetch('https://host/v1/chat/completions', { body: JSON.stringify({ messages: [{ role: 'system', content: @ }] }) })",
    "axios.post('https://host/v1/chat/completions', { messages: [{ role: 'system', content: @ }] })",
    "new Ollama().chat({ model: 'm', messages: [{ role: 'system', content: @ }] })",
    "new GoogleGenAI({}).models.generateContent({ model: 'm', config: { systemInstruction: @ }, contents: 'x' })",
]
IMPORTS = """import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateObject, generateText, streamText } from "ai";
import { ChatOpenAI } from "@langchain/openai";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { Agent } from "@mastra/core/agent";
import axios from "axios";
import { Ollama } from "ollama";
import { GoogleGenAI } from "@google/genai";
"""


@pytest.mark.parametrize("call", SINKS)
def test_calls_that_send_prompts(call: str, tmp_path: Path) -> None:
    """A clock ahead of the system text is found at its place in each form of call."""
    code = f'{IMPORTS}const RULES = "{RULES}";\nexport const ask = async (turns) => {call.replace("@", SENT)};\n'
    (line,) = {f.span.line for f in findings(tmp_path, code) if f.rule == "RL201"}
    assert line == IMPORTS.count("\n") + 2
