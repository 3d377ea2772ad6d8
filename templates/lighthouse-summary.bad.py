"""Lighthouse keeper: what was said so far is kept as a summary."""

from openai import OpenAI

client = OpenAI()


def turn(messages, summary, question):
    messages[0]["content"] = "You keep the light.\nSo far: " + summary
    messages.append({"role": "user", "content": question})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
