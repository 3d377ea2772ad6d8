"""Signal box: tools of all servers that are connected go out with each request."""

from openai import OpenAI

client = OpenAI()
RULES = """You help the signaller of a branch line.
Say which block is taken before you say anything else.
A train that is not announced does not exist; ask the neighbouring box, and never set a route on a guess."""


def collect(servers) -> dict:
    tools = {}
    for server in servers:
        tools.update(server.tools)
    return tools


def answer(tools: dict, question: str) -> str:
    return client.chat.completions.create(
        model="gpt-5-mini",
        tools=list(tools.values()),
        messages=[{"role": "system", "content": RULES}, {"role": "user", "content": question}],
    )
