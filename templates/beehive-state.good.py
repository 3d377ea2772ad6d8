"""Beehive: the state of the hive is told with each turn."""

from openai import OpenAI

client = OpenAI()


def turn(messages, session, question):
    messages.append({"role": "user", "content": f"Known so far: {session}\n\n{question}"})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
