"""Defects for programs that build on a framework, and for packages whose prompt is built in one module and sent from another."""

from __future__ import annotations

from plant_code_defects import Plant, plant

OF_FRAMES: tuple[Plant, ...] = (
    plant(
        "allotment_chain.py",
        "clock-in-a-message",
        "RL201",
        ("from langchain_core.messages", "from datetime import datetime\n\nfrom langchain_core.messages"),
        ("SystemMessage(content=RULES)", 'SystemMessage(content=f"{@@datetime.now():%H:%M} {RULES}")'),
    ),
    plant(
        "allotment_chain.py",
        "history-ahead-of-rules",
        "RL103",
        (
            '        ("system", RULES),\n        MessagesPlaceholder("history"),',
            '        MessagesPlaceholder("@@history"),\n        ("system", RULES),',
        ),
    ),
    plant(
        "letters_index.py",
        "retrieved-first",
        "RL901",
        ('    "You answer questions from letters', '    "@@{context_str}\\n---\\n"\n    "You answer questions from letters'),
        ('    "---\\n{context_str}\\n---\\nQuestion: {query_str}\\n"', '    "---\\nQuestion: {query_str}\\n"'),
    ),
    plant(
        "trail_agent.py",
        "clock-in-an-agent",
        "RL201",
        ("from dataclasses import dataclass\n", "from dataclasses import dataclass\nfrom time import ctime\n"),
        ('        "You help people to choose', '        f"Started {@@ctime()}. "\n        "You help people to choose'),
    ),
    plant(
        "returns_agents.py",
        "uuid-in-instructions",
        "RL202",
        ("from agents import", "from uuid import uuid4\n\nfrom agents import"),
        ('instructions=COMMON + "You take in', 'instructions=f"Run {@@uuid4()}\\n" + COMMON + "You take in'),
    ),
    plant(
        "species_dspy.py",
        "shuffled-words",
        "RL301",
        (
            "        self.name = dspy.ChainOfThought(NameSpecies)",
            '        kinds = ["gulls", "martens", "owls"]\n'
            "        @@random.shuffle(kinds)\n"
            '        text = f"Begin with {kinds}. {NameSpecies.__doc__}"\n'
            '        self.name = dspy.ChainOfThought(dspy.Signature("report -> species", text))',
        ),
    ),
    plant(
        "hut_crew.py",
        "clock-in-a-backstory",
        "RL201",
        ("from crewai import", "import time\n\nfrom crewai import"),
        ('        "You kept a hut', '        f"It is {@@time.asctime()}. "\n        "You kept a hut'),
    ),
    plant(
        "review_autogen.py",
        "folder-listing",
        "RL305",
        ("from autogen_agentchat.agents", "import os\n\nfrom autogen_agentchat.agents"),
        (
            'system_message="You review changes to a service that books beds in hostels. " + MANNERS',
            'system_message="Files: " + ", ".join(@@os.listdir("src")) + ". You review changes. " + MANNERS',
        ),
    ),
    plant(
        "dispatch_kernel.py",
        "random-id",
        "RL202",
        ("from semantic_kernel import Kernel\n", "import secrets\n\nfrom semantic_kernel import Kernel\n"),
        ("ChatHistory(system_message=DISPATCHER)", "ChatHistory(system_message=@@secrets.token_urlsafe() + DISPATCHER)"),
    ),
    plant(
        "manual_haystack.py",
        "documents-ahead-of-rules",
        "RL901",
        ("    ChatMessage.from_system(\n", '    ChatMessage.from_system(\n        "@@{{ documents }}\\n"\n'),
    ),
    plant(
        "clinic/assembly.py",
        "clock-of-another-module",
        "RL201",
        ("clinic/stamps.py", "datetime.now()", "@@datetime.now()"),
        ("import day_line", "import day_line, log_name"),
        ('f"{TRIAGE}\\n{CLOSING}"', 'f"{log_name()}\\n{TRIAGE}\\n{CLOSING}"'),
    ),
    plant(
        "museum_pkg/guide.py",
        "visitor-first",
        "RL101",
        ('        builder.add("Visitor", f"{visitor.name}, {visitor.age} years")\n', ""),
        ('        builder.add("Tone"', '        builder.add("Visitor", f"{@@visitor.name}")\n        builder.add("Tone"'),
    ),
)
