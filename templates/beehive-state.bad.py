"""Beehive: the state of the hive is told with each turn."""

from openai import OpenAI

client = OpenAI()


def turn(messages, session, question):
    messages.insert(0, {"role": "system", "content": f"Known so far: {session}"})
    messages.append({"role": "user", "content": question})
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
