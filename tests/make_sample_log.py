"""Write the bundled sample log: a support desk whose web client is cache-friendly and whose mobile client is not.

Run ``python tests/make_sample_log.py`` to write ``radixlint/samples/support_desk.jsonl`` anew; the same bytes each time.
All names, orders and texts are made up.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from radixlint.layout import open_layout
from radixlint.logs import read_logs
from radixlint.tokenizers import PieceEncoder, open_tokenizer

SAMPLE = Path(__file__).resolve().parent.parent / "radixlint" / "samples" / "support_desk.jsonl"

SEED = 20260309
CONVERSATIONS = 16
SINGLE_QUESTIONS = 74
MOBILE_SHARE = 0.36
START = datetime(2026, 3, 9, 8, 0, tzinfo=UTC)
# The name a team gives its own server; the tokenizer behind it is not told.
MODEL = "support-desk"

# The automatic cache that the usage imitates: hits from 1,024 tokens on, in steps of 128.
CACHE_MIN_TOKENS = 1024
CACHE_STEP_TOKENS = 128

INTRO = "You are the support assistant of Fernhill Cycles, a maker of cargo bikes with shops in nine towns."
RULES = """
## How you answer
- Answer in the language of the question, in at most six short sentences, without headings.
- Give the steps in the order in which the rider has to do them, one step a sentence.
- Use only the notes under "Notes" in the newest question and what the tools return. Else offer a call back.
- Quote prices with tax and with the currency of the order. Never work out a discount yourself.
- Do not repeat the question, and do not praise it.
- When a rider is angry, name the problem once in plain words, then say what happens next and when.
## What you may do
- You may look up an order, book a workshop slot, open a repair case and send a label for a return.
- Ask for the order number before you look up an order. It has two letters and six digits, such as FC-204518.
- Book a slot only after the rider has agreed to a day. Offer the two nearest free days of the nearest shop.
- Open a repair case for every fault of the frame, the fork, the brakes or the battery, even if the rider only asks for advice.
- Never promise a refund. The refund desk decides within three working days after the bike or the part has arrived.
- A return is free of charge within 60 days if the part was not mounted. A mounted part is a matter for the warranty.
## Safety first
- If the rider smells burning, sees smoke or a swollen battery, tell them to move away and not to charge it.
- If a brake does not bite or a fork moves in the head tube, tell them not to ride until a workshop has looked at it.
- Never explain how to open a battery, a motor or a charger, and never explain how to lift the speed limit.
- Torque values come from the notes only. If a note has none, say that the workshop will set it.
## Warranty
- The frame has ten years, the motor and the battery two years or 500 full cycles, all else two years.
- Worn parts such as pads, chains, tyres and cables are not covered unless they failed within the first 90 days.
- The first owner may hand the warranty on with the bike; we need the frame number and the date of the sale.
- Work by another workshop does not end the warranty unless that work caused the fault.
## Delivery and pick-up
- Bikes come by our own van between 8:00 and 18:00; the driver calls half an hour before.
- Parts come by parcel in two to four working days, to an island in up to seven.
- A missed van is booked again once without charge. The second time costs 29 euros.
- Every shop keeps a bike for pick-up for ten days, then it goes back to the warehouse and the order stays open.
## Privacy
- Never tell a rider anything about another rider's order, not even whether it exists.
- Do not ask for card numbers or passwords. If a rider sends one, do not repeat it, and say that it should be changed.
- Use the rider's first name at most once in a conversation.
""".strip()

TOOLS = (
    (
        "find_order",
        "Look up an order by its number: state, parts, prices, delivery day.",
        {"order": "Order number, such as FC-204518."},
    ),
    (
        "book_slot",
        "Book a workshop slot the rider has agreed to.",
        {"shop": "Town of the shop.", "day": "Day as YYYY-MM-DD.", "work": "What is to be done, in a few words."},
    ),
    (
        "open_case",
        "Open a repair case for a fault of frame, fork, brakes or battery.",
        {"order": "Order number.", "part": "Part at fault.", "note": "What the rider reports, in one sentence."},
    ),
    ("send_label", "Send a return label by mail.", {"order": "Order number.", "item": "Part to be sent back."}),
)

NOTES = (
    "Battery care: store at 40 to 60 percent, between 5 and 25 degrees. Below freezing, charge only after two hours indoors.",
    "Range in winter: expect a third less. Support level 2 with 15 kg of load gave 48 km in our test on the flat.",
    "Display code E07: the speed sensor does not see the magnet. Distance 5 to 8 mm, magnet level with the mark.",
    "Display code E21: the battery is too cold or too warm. It clears by itself between 0 and 45 degrees.",
    "Squeaking disc brakes: clean with brake cleaner, then brake twenty times from 20 km/h to a walk. No oil near the disc.",
    "Child seat: fits the long box only. Two bolts M6, 9 Nm, washers outside; check them after the first 50 km.",
    "Rain cover: the front edge goes under the rail. Dry it before folding, or the window turns milky.",
    "Lost key: the number is on the card from the handover. A new pair costs 35 euros and takes five working days.",
    "Returns: unmounted parts within 60 days, original box not needed. The label comes by mail and is valid for 14 days.",
    "Leasing: the contract partner is the employer. Swaps of parts need the leasing company's consent; repairs do not.",
    "Tyres: 20 inch front 3.5 to 4.5 bar, 26 inch rear 3.0 to 4.0 bar. With more than 80 kg in the box use the upper value.",
    "Belt: no oil. A dry squeak goes away with water; a torn tooth means a new belt, about 40 minutes in a workshop.",
    "Software: updates come with the yearly service. A shop can do it alone in 15 minutes without a slot on Thursdays.",
    "Van delivery: the driver needs a lane of 2.5 m. In a pedestrian zone the handover is at its border.",
)

QUESTIONS = (
    "The range dropped to half since last week, is the battery broken?",
    "My display shows E07 after I changed the rear wheel. What now?",
    "Which pressure do I need with two children in the box?",
    "Can I send back the rain cover? I opened the box but did not mount it.",
    "The front brake squeaks since the rain on Sunday.",
    "I lost both keys. How do I get new ones?",
    "Does the child seat fit the short box?",
    "The belt makes a dry noise at every turn, should I oil it?",
    "My employer leases the bike. May I have another saddle fitted?",
    "When does the van come, and does the driver call first?",
    "E21 shows up every morning in the garage. Is that dangerous?",
    "How do I keep the battery over the winter?",
    "Is there a software update, and does it cost anything?",
    "The cover's window has turned milky, is that covered by the warranty?",
    "I sold my bike. Can the buyer take over the warranty?",
    "The fork clicks when I brake hard.",
)

FOLLOW_UPS = (
    "Thank you. And how long will that take?",
    "Is that covered by the warranty?",
    "I did that, but it is still there.",
    "What does it cost if you do it?",
    "Can I ride it until then?",
    "Which shop is nearest to Alder Bay?",
    "Could you book that for Thursday, please?",
    "And what if it happens again?",
)

REPLIES = (
    "That is most likely the cold. Charge indoors for two hours, then check the range again. If it stays low, we book a check.",
    "Loosen the magnet, set it level with the mark and 5 to 8 mm from the sensor. Switch the bike off and on again.",
    "Use the upper value printed in the note. Check the pressure cold, before you load the box.",
    "Yes, that works within 60 days. I send you a label by mail; it is valid for 14 days.",
    "Please do not ride it until a workshop has looked at it. The nearest shop has a slot on Tuesday and on Thursday.",
    "Clean the disc with brake cleaner. Then brake twenty times from 20 km/h down to a walk. Keep oil away from it.",
    "It takes about 40 minutes. You can wait in the shop.",
    "The refund desk decides that within three working days after the part has arrived.",
)


def system_text(client: str, now: datetime) -> str:
    """The mobile client stamps the clock into its second line; the web client does not."""
    clock = [f"Current time: {now:%Y-%m-%dT%H:%M:%SZ}"] if client == "mobile" else []
    return "\n".join([INTRO, *clock, RULES])


def tool_list() -> list[dict[str, Any]]:
    """The four tools, in one order for every request."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": {key: {"type": "string", "description": text} for key, text in fields.items()},
                    "required": list(fields),
                },
            },
        }
        for name, description, fields in TOOLS
    ]


def user_turn(rng: random.Random, question: str) -> dict[str, Any]:
    """A question with the notes found for it, which stay where they are in later requests."""
    notes = "\n".join(f"- {note}" for note in rng.sample(NOTES, 2))
    return {"role": "user", "content": f"Notes:\n{notes}\n\nQuestion: {question}"}


def order_lookup(rng: random.Random, number: int) -> list[dict[str, Any]]:
    """The assistant's call and the tool's answer."""
    order = f"FC-{rng.randrange(200000, 299999)}"
    arguments = json.dumps({"order": order})
    call = {"id": f"call_{number:03d}", "type": "function", "function": {"name": "find_order", "arguments": arguments}}
    found = {
        "order": order,
        "state": rng.choice(["on its way", "delivered", "in the workshop"]),
        "total_eur": rng.randrange(40, 4900),
    }
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(found)},
    ]


def conversation(rng: random.Random, number: int, turns: int) -> Iterator[tuple[datetime, dict[str, Any]]]:
    """Yield the requests of one conversation: each repeats the ones before and adds to the end."""
    client = "mobile" if rng.random() < MOBILE_SHARE else "web"
    now = START + timedelta(seconds=rng.randrange(4 * 3600))
    history: list[dict[str, Any]] = []
    for turn in range(turns):
        history.append(user_turn(rng, rng.choice(FOLLOW_UPS if turn else QUESTIONS)))
        for is_after_lookup in (False, True) if turn == 1 and rng.random() < 0.5 else (False,):
            if is_after_lookup:
                history.extend(order_lookup(rng, number))
                now += timedelta(seconds=rng.randrange(2, 5))
            messages = [{"role": "system", "content": system_text(client, now)}, *history]
            about = {"session": f"s{number:03d}", "user": f"rider-{number % 61:02d}", "metadata": {"client": client}}
            yield now, {**about, "model": MODEL, "tools": tool_list(), "messages": messages}
        history.append({"role": "assistant", "content": rng.choice(REPLIES)})
        now += timedelta(seconds=rng.randrange(25, 140))


def with_usage(bodies: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Add what an automatic cache without limits would report, counted over the text we lay out."""
    rng = random.Random(SEED + 1)
    encoder = PieceEncoder(open_tokenizer("o200k_base"))
    seen: set[bytes] = set()
    for body in bodies:
        ids = encoder.encode(piece.text for piece in open_layout().lay_out(read_one(body)))
        steps = [ids[:end] for end in range(4 * CACHE_STEP_TOKENS, len(ids), 4 * CACHE_STEP_TOKENS)]
        cached = sum(CACHE_STEP_TOKENS for step in steps if step in seen)
        seen.update(steps)
        usage = {
            "prompt_tokens": len(ids) // 4,
            "completion_tokens": rng.randrange(22, 48),
            "prompt_tokens_details": {"cached_tokens": cached if cached >= CACHE_MIN_TOKENS else 0},
        }
        yield {**body, "usage": usage}


def read_one(body: dict[str, Any]) -> Any:
    """The request as our own reader sees it."""
    return read_logs(["-"], stdin=io.BytesIO(json.dumps(body).encode())).requests[0]


def sample_lines() -> list[str]:
    """The whole log, in order of time, one JSON object a line."""
    rng = random.Random(SEED)
    lengths = [rng.randrange(3, 7) for _ in range(CONVERSATIONS)] + [1] * SINGLE_QUESTIONS
    rng.shuffle(lengths)
    timed = [item for number, turns in enumerate(lengths) for item in conversation(rng, number, turns)]
    timed.sort(key=lambda item: item[0])
    stamped = [{"ts": f"{now:%Y-%m-%dT%H:%M:%SZ}", "request_id": f"r{i:04d}", **body} for i, (now, body) in enumerate(timed)]
    return [json.dumps(body, separators=(",", ":")) for body in with_usage(stamped)]


if __name__ == "__main__":
    SAMPLE.parent.mkdir(exist_ok=True)
    SAMPLE.write_text("".join(f"{line}\n" for line in sample_lines()), encoding="utf-8")
