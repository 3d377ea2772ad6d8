"""Kiln log: messages of the firing are marked for the cache."""

import anthropic

client = anthropic.Anthropic()


def answer(messages):
    for message in messages:
        message["cache_control"] = {"type": "ephemeral"}
    return client.messages.create(model="claude-opus-5", max_tokens=600, system="You watch the kiln.", messages=messages)
