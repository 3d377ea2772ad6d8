"""Defects for programs that fill, join and keep texts, messages and tools."""

from __future__ import annotations

from plant_code_defects import Plant, plant

OF_TEXTS: tuple[Plant, ...] = (
    plant(
        "payslip_substitute.py",
        "clock-by-substitute",
        "RL201",
        ("from string import Template", "from datetime import datetime\nfrom string import Template"),
        ('    """You explain payslips', '    """Asked at $now.\nYou explain payslips'),
        ("FRAME.substitute(", "FRAME.substitute(now=@@datetime.now(), "),
    ),
    plant(
        "novel_jinja.py",
        "session-by-render",
        "RL202",
        ('    """You talk with readers', '    """Session @@{{ session }}.\nYou talk with readers'),
        ("chapter: int | None = None) -> str:", "chapter: int | None = None, session_id: str = '') -> str:"),
        ("COMPANION.render(", "COMPANION.render(session=session_id, "),
    ),
    plant(
        "guest_format.py",
        "guest-first",
        "RL101",
        ('REPLY_PROMPT = """You reply', 'REPLY_PROMPT = """@@{guest} writes. You reply'),
        ("\nGuest: {guest}\n", "\n"),
    ),
    plant(
        "percent_prompt.py",
        "place-by-percent",
        "RL101",
        ("description, place):", "description, customer):"),
        ('PLANT_PROMPT = """You name', 'PLANT_PROMPT = """For @@%s. You name'),
        ("Found at: %s\n", ""),
        ("(description, place)\n    return", "(customer, description)\n    return"),
    ),
    plant(
        "shots_songs.py",
        "sampled-shots",
        "RL301",
        ("import json\n", "import json\nimport random\n"),
        ('self.head = [{"role": "system", "content": TASK}]', "self.head = []"),
        ("in SHOTS:", "in @@random.sample(SHOTS, 2):"),
        ("    def pick(self", '        self.head.append({"role": "system", "content": TASK})\n\n    def pick(self'),
    ),
    plant(
        "street_tools.py",
        "registry-as-a-set",
        "RL302",
        ("for name in sorted(REGISTRY):", "for name in @@set(REGISTRY):"),
    ),
    plant(
        "harbour_rag.py",
        "notices-ahead-of-rules",
        "RL901",
        ("self.store.similarity_search", "@@self.store.similarity_search"),
        ('f"{GROUNDED}\\n\\nNotices:\\n{documents}\\n\\nQuestion', 'f"Notices:\\n{documents}\\n\\n{GROUNDED}\\n\\nQuestion'),
    ),
    plant(
        "growing_history.py",
        "window",
        "RL701",
        ("[asdict(turn) for turn in self.turns]", "[asdict(turn) for turn in @@self.turns[-LIMIT:]]"),
    ),
    plant(
        "growing_history.py",
        "summary-in-system",
        "RL702",
        (
            '        self.turns = [Turn("system", COACH), Turn("user", f"What was said before:\\n{summary}")]',
            "        messages = [asdict(turn) for turn in self.turns]\n"
            '        @@messages[0]["content"] = COACH + summary\n'
            "        self.messages = messages",
        ),
    ),
    plant(
        "greenhouse_parts.py",
        "key-order",
        "RL401",
        ("from collections.abc import Iterable\n", "import json\nfrom collections.abc import Iterable\n"),
        ("system=system_prompt()", 'system=@@json.dumps(house) + "\\n" + system_prompt()'),
        ('\\n\\n<house>\\n{facts}\\n</house>"', '"'),
    ),
    plant(
        "greenhouse_parts.py",
        "clock-through-append",
        "RL201",
        ("from collections.abc import Iterable\n", "import datetime\nfrom collections.abc import Iterable\n"),
        ('lines.append("# Advice for greenhouses")', 'lines.append(f"# Advice, {@@datetime.datetime.now().isoformat()}")'),
    ),
    plant(
        "stock_queries.py",
        "connection-by-default-repr",
        "RL304",
        ('"content": SQL_PROMPT + schema()}', '"content": f"{@@schema} {SQL_PROMPT}"}'),
    ),
    plant(
        "check_shots.py",
        "no-seed",
        "RL301",
        ("random.Random(42).sample(POOL, count)", "@@random.sample(POOL, count)"),
        ("[ADVICE, *picked(3), question]", "[*picked(3), ADVICE, question]"),
        ("    random.seed(7)\n", ""),
    ),
    plant(
        "day_report.py",
        "host-and-time",
        "RL201",
        ("target = folder /", "target = @@folder /"),
        ('"content": REPORTER}', '"content": f"{target.stem}\\n{REPORTER}"}'),
    ),
    plant(
        "apprentice_modes.py",
        "user-class-attribute",
        "RL101",
        ("def system(cls, mode: Mode)", "def system(cls, mode: Mode, user_name: str)"),
        ("return cls.BASE + cls", 'return f"{@@user_name}: " + cls.BASE + cls'),
        ("Prompts.system(mode)", "Prompts.system(mode, user_name)"),
        ("question: str, mode: Mode = Mode.SHORT)", "question: str, user_name: str, mode: Mode = Mode.SHORT)"),
    ),
    plant(
        "invoice_schema.py",
        "set-behind-sorted-keys",
        "RL302",
        ("return COPY + dump(Invoice.model_json_schema())", 'return dump(@@list({"number", "total", "currency"})) + COPY'),
    ),
    plant(
        "crosswords.ipynb",
        "clock-in-a-notebook",
        "RL201",
        ('\\"content\\": CLUES}', '\\"content\\": f\\"{@@time.time()} {CLUES}\\"}'),
    ),
    plant(
        "streets_requests.py",
        "tenant-first",
        "RL951",
        ("def tidy(raw: str)", "def tidy(raw: str, tenant)"),
        ('"content": TIDY}', '"content": f"For {@@tenant.name}. {TIDY}"}'),
    ),
    plant(
        "shots_songs.py",
        "inserted-in-front",
        "RL705",
        (
            "    def pick(self, wish: str):\n",
            "    def pick(self, messages: list[dict], wish: str):\n"
            '        @@messages.insert(0, {"role": "user", "content": f"Wish: {wish}"})\n'
            '        return self.client.chat.completions.create(model="gpt-4o-mini", messages=messages)\n\n'
            "    def pick_anew(self, wish: str):\n",
        ),
    ),
    plant(
        "buses_httpx.py",
        "finished-tasks",
        "RL305",
        (
            '    payload["messages"] = [{"role": "user", "content": question}]',
            '    found = [http.get(f"/lines/{line}") for line in range(9)]\n'
            "    lines = [(await reply).text for reply in @@asyncio.as_completed(found)]\n"
            '    payload["system"] = "\\n".join(lines) + SYSTEM\n'
            '    payload["messages"] = [{"role": "user", "content": question}]',
        ),
    ),
)
