"""Dyke watch: readings of gauges come from tools, and are cut once, ahead of being sent."""

from openai import OpenAI

client = OpenAI()


def turn(messages, reading, question):
    messages.append({"role": "user", "content": f"Gauge: {reading[:400]}\n\n{question}"})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
