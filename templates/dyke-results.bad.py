"""Dyke watch: readings of gauges come from tools."""

from openai import OpenAI

client = OpenAI()


def turn(messages, question):
    for message in messages:
        message["content"] = message["content"][:400]
    messages.append({"role": "user", "content": question})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
