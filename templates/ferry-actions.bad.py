"""Ferry desk: the model is told which action it may ask for."""

from openai import OpenAI

client = OpenAI()
RULES = """You answer passengers of the island ferry.
Give the next sailing first, then the one behind it, each with the pier it leaves from.
In fog all times are guesses; say so in one short sentence and name the harbour office."""


def rebook(ticket: str, sailing: str) -> str:
    return f"{ticket} is now valid for {sailing}"


def answer(question: str) -> str:
    system = f"You may ask for {rebook}.\n{RULES}"
    reply = client.responses.create(model="gpt-5-mini", instructions=system, input=question)
    return reply.output_text
