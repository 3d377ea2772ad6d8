"""Orchard shop: the price list stands ahead of the rules."""

import json

from openai import OpenAI

client = OpenAI()
PRICES = {"apple": "1.20", "pear": "1.60", "quince": "2.10"}
RULES = """You sell fruit from the orchard behind the mill.
Quote prices for a kilo and round nothing.
Offer the windfalls first, they keep for two days only, and never promise fruit that is out of season."""


def answer(question: str) -> str:
    system = f"Prices: {json.dumps(PRICES, sort_keys=True)}\n{RULES}"
    reply = client.responses.create(model="gpt-5-mini", instructions=system, input=question)
    return reply.output_text
