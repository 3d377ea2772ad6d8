"""Lighthouse keeper: what was said so far is kept as a summary."""

from openai import OpenAI

client = OpenAI()


def turn(messages, summary, question):
    messages.append({"role": "user", "content": f"So far: {summary}\n\n{question}"})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
