"""Press office: the newest message is marked, so that the conversation is read from the cache."""

import anthropic

client = anthropic.Anthropic()


def marked(messages):
    newest = {**messages[-1], "cache_control": {"type": "ephemeral"}}
    return [*messages[:-1], newest]


def answer(messages):
    messages = marked(messages)
    return client.messages.create(model="claude-opus-5", max_tokens=600, system="You write for the press.", messages=messages)
