"""Defects for programs that call the library of a vendor or an engine."""

from __future__ import annotations

from plant_code_defects import Plant, plant

OF_CALLS: tuple[Plant, ...] = (
    plant(
        "ferry_chat.py",
        "clock",
        "RL201",
        ('"content": SYSTEM_PROMPT}', '"content": f"It is {@@datetime.now(timezone.utc):%H:%M}. {SYSTEM_PROMPT}"}'),
    ),
    plant(
        "ferry_chat.py",
        "id-through-a-variable",
        "RL202",
        ("str(uuid.uuid4())", "str(@@uuid.uuid4())"),
        ('"content": SYSTEM_PROMPT}', '"content": "Request " + request_id + "\\n" + SYSTEM_PROMPT}'),
    ),
    plant(
        "tide_responses.py",
        "counter-of-turns",
        "RL206",
        ("instructions=INSTRUCTIONS", 'instructions=f"Turn {@@len(visitor.turns)}. {INSTRUCTIONS}"'),
    ),
    plant(
        "parks_cached.py",
        "mark-behind-the-clock",
        "RL601",
        ("datetime.now()", "@@datetime.now()"),
        (', "cache_control": {"type": "ephemeral"}},', "},"),
        (
            "        ],\n        messages",
            '            {"type": "text", "text": f"It is {clock}.", "cache_control": {"type": "ephemeral"}},\n'
            "        ],\n        messages",
        ),
    ),
    plant(
        "parks_cached.py",
        "no-mark",
        "RL604",
        ('HANDBOOK = """You', 'HANDBOOK = """@@You'),
        (
            '{"type": "text", "text": HANDBOOK * 12, "cache_control": {"type": "ephemeral"}},',
            '{"type": "text", "text": HANDBOOK * 40},',
        ),
    ),
    plant(
        "rewriter_litellm.py",
        "program-date",
        "RL201",
        ("import random\n", "import random\nimport subprocess\n"),
        ('"content": VOICE}', '"content": @@subprocess.check_output(["date"], text=True) + VOICE}'),
    ),
    plant(
        "photo_genai.py",
        "clock-as-default",
        "RL201",
        ("from google import genai\n", "import time\n\nfrom google import genai\n"),
        ("note: str) -> str:", "note: str, at: str = @@time.strftime('%X')) -> str:"),
        ("system_instruction=GUIDE", 'system_instruction=f"At {at}: {GUIDE}"'),
    ),
    plant(
        "letters_converse.py",
        "set-in-join",
        "RL302",
        (
            'DEPARTMENTS = ("roads", "schools", "water", "housing", "taxes")',
            'DEPARTMENTS = {"roads", "schools", "water", "taxes"}',
        ),
        ('[*RULES, "Departments: " + ", ".join(DEPARTMENTS)]', '["Departments: " + @@", ".join(DEPARTMENTS), *RULES]'),
    ),
    plant(
        "menu_mistral.py",
        "files-of-a-folder",
        "RL305",
        (
            'STYLE + "\\n\\nGlossary:\\n" + json.dumps(GLOSSARY, sort_keys=True, ensure_ascii=False)',
            '"\\n".join(path.read_text() for path in @@Path("glossaries").glob("*.txt")) + STYLE',
        ),
    ),
    plant(
        "beekeepers_cohere.py",
        "retrieved-ahead-of-rules",
        "RL901",
        ("self.search.find(question, limit=4)", "@@self.search.similarity_search(question, k=4)"),
        ("messages=self.messages)", 'messages=[{"role": "system", "content": f"{listed}\\n\\n{PREAMBLE}"}, *self.messages[1:]])'),
    ),
    plant(
        "knots_ollama.py",
        "window",
        "RL701",
        ("messages=history)", "messages=[history[0], *@@history[-12:]])"),
    ),
    plant(
        "headlines_vllm.py",
        "salt",
        "RL607",
        ("from vllm import LLM, SamplingParams", "import secrets\n\nfrom vllm import LLM, SamplingParams"),
        ("max_tokens=32, seed=7))", "max_tokens=32, seed=7), cache_salt=@@secrets.token_hex(8))"),
    ),
    plant(
        "minutes_vllm_chat.py",
        "set-ahead",
        "RL302",
        ("transcript: str, members: list[str]", "transcript: str, members: set[str]"),
        ('"content": SYSTEM}', '"content": "Members: " + @@", ".join(members) + "\\n" + SYSTEM}'),
        ("\\n\\nMembers: {', '.join(sorted(members))}", ""),
    ),
    plant(
        "recipe_engine.py",
        "parameter-first",
        "RL101",
        ("pantry: list[str], wish: str", "customer: str, wish: str"),
        ('    parts = [HEADER]\n    parts.append("In the pantry: " + ", ".join(pantry))\n', "    parts = []\n"),
        ('parts.append(f"Wish of the children: {wish}")', 'parts.append(f"For {@@customer}")\n    parts.extend([HEADER, wish])'),
    ),
    plant(
        "joiner_sgl.py",
        "random-choice",
        "RL301",
        ("import sglang as sgl", "import random\n\nimport sglang as sgl"),
        ("sgl.system(TEACHER)", 'sgl.system(@@random.choice(("Oak. ", "Ash. ")) + TEACHER)'),
    ),
    plant(
        "essay_template.py",
        "hash",
        "RL306",
        ('"content": RUBRIC}', '"content": f"Essay {@@hash(RUBRIC)}\\n{RUBRIC}"}'),
    ),
    plant(
        "streets_requests.py",
        "id-in-a-post",
        "RL202",
        ('"content": TIDY}', '"content": f"[{@@uuid.uuid1()}] {TIDY}"}'),
    ),
    plant(
        "buses_httpx.py",
        "clock-of-minutes-since",
        "RL201",
        ("import random\n", "import random\nimport time\n\nSTARTED = 0.0\n"),
        ('"system": SYSTEM}', '"system": f"Up for {round((@@time.monotonic() - STARTED) / 60)} minutes. {SYSTEM}"}'),
    ),
    plant(
        "essay_template.py",
        "clock-by-replace",
        "RL201",
        ("import torch\n", "from datetime import datetime\n\nimport torch\n"),
        ('RUBRIC = """You', 'RUBRIC = """Read on {{day}} at {{now}}. You'),
        ('"content": RUBRIC}', '"content": RUBRIC.replace("{{day}}", "Monday").replace("{{now}}", str(@@datetime.now()))}'),
    ),
)
