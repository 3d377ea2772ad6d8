"""Plant one defect in a healthy program of TypeScript or JavaScript; a plant is made as those in Python are."""

from __future__ import annotations

from pathlib import Path

from plant_code_defects import Plant, plant

HEALTHY = Path(__file__).parent / "fixtures" / "code_healthy_script"
NOW = "new Date().toISOString()"

PLANTS: tuple[Plant, ...] = (
    plant(
        "ferry_desk.ts",
        "clock",
        "RL201",
        ("content: RULES }", "content: `Now ${@@new Date().toLocaleTimeString()}. ${RULES}` }"),
    ),
    plant("ferry_desk.ts", "name-ahead", "RL101", ("content: RULES }", "content: `You serve ${@@guest.name}. ${RULES}` }")),
    plant(
        "beekeeper_sdk.ts",
        "id-under-a-mark",
        "RL601",
        ("text: HANDBOOK,", "text: `Session ${@@crypto.randomUUID()}\\n${HANDBOOK}`,"),
    ),
    plant(
        "beekeeper_sdk.ts",
        "id-of-the-process",
        "RL202",
        ("const HANDBOOK = [", "const HANDBOOK = [\n  `Worker ${@@crypto.randomUUID()}`,"),
    ),
    plant("beekeeper_sdk.ts", "window", "RL701", ("messages: this.history,", "messages: @@this.history.slice(-6),")),
    plant("recipe_vercel.ts", "random", "RL301", ("system: SYSTEM_PROMPT", "system: `Dice ${@@Math.random()} ` + SYSTEM_PROMPT")),
    plant(
        "museum_prompt.tsx",
        "clock-in-jsx",
        "RL201",
        ("<SystemMessage>\n", "<SystemMessage>\n      It is {@@new Date().toLocaleTimeString()}.\n"),
    ),
    plant(
        "review_builder.js",
        "clock-in-a-builder",
        "RL201",
        ("return new PromptBuilder()\n", "return new PromptBuilder()\n    .add(`Asked at ${@@Date.now()}`)\n"),
    ),
    plant(
        "letters_langchain.ts",
        "clock",
        "RL201",
        ("new SystemMessage(LETTER_RULES)", f"new SystemMessage(`${{@@{NOW}}} ${{LETTER_RULES}}`)"),
    ),
    plant(
        "trail_mastra.ts",
        "clock-in-a-helper",
        "RL201",
        ("const describe =", f"function stamp() {{\n  return @@{NOW};\n}}\n\nconst describe ="),
        ("instructions: `You plan", "instructions: `${stamp()} You plan"),
    ),
    plant(
        "minutes_fetch.mjs",
        "id-in-a-body",
        "RL202",
        ('content: MINUTES.join("\\n")', 'content: [@@crypto.randomUUID(), ...MINUTES].join("\\n")'),
    ),
    plant(
        "songs_shots.ts", "clock-in-a-module", "RL201", ("const INSTRUCTIONS = `You", "const INSTRUCTIONS = `${@@Date.now()} You")
    ),
    plant(
        "yard/desk.ts",
        "clock-in-a-module-away",
        "RL201",
        (
            "yard/texts.ts",
            "export const boatTable",
            f"export function opening() {{\n  return `Written ${{@@{NOW}}}`;\n}}\n\nexport const boatTable",
        ),
        ("yard/desk.ts", "import { boatTable, deskRules }", "import { boatTable, deskRules, opening }"),
        ("yard/desk.ts", "= [deskRules];", "= [opening(), deskRules];"),
    ),
    plant(
        "greenhouse/index.js",
        "clock-through-a-namespace",
        "RL201",
        ("greenhouse/notes/index.js", "export const WINTER", "export const stamp = () => @@Date.now();\nexport const WINTER"),
        ("greenhouse/index.js", "`${PERSONA}", "`${notes.stamp()} ${PERSONA}"),
    ),
    plant(
        "photo_gemini.ts",
        "clock",
        "RL201",
        ("systemInstruction: DESCRIBE,", f"systemInstruction: `${{@@{NOW}}}\\n${{DESCRIBE}}`,"),
    ),
    plant(
        "knots_template.cjs",
        "clock-in-a-field",
        "RL201",
        ("const TEMPLATE = `You", "const TEMPLATE = `At {{now}}: You"),
        ('.replace("{{rope}}", rope)', '.replace("{{rope}}", rope).replace("{{now}}", @@Date.now())'),
    ),
    plant(
        "species_dedent.ts",
        "clock-in-a-tag",
        "RL201",
        ("const GUIDE = dedent`\n", f"const GUIDE = dedent`\n  Today: ${{@@{NOW}}}\n"),
    ),
    plant(
        "greenhouse/index.js",
        "order-of-a-folder",
        "RL305",
        ("greenhouse/index.js", "import { ollama }", 'import { readdirSync } from "node:fs";\nimport { ollama }'),
        ("greenhouse/index.js", "`${PERSONA}", '`${@@readdirSync("beds").join(", ")} ${PERSONA}'),
    ),
)
