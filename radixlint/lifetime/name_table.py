"""What names of values usually stand for: data, matched on whole name parts.

``STRONG`` words decide wherever they are the head (last word) of a name. ``WEAK`` words decide only alone: in
``due_date`` or ``product_name`` the words before them say more. ``GENERIC`` words say nothing.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.lifetime.name_tongues import DATE, NOW, NOW_PHRASES, TIME, TODAY, TODAY_PHRASES
from radixlint.prompt import Confidence, Lifetime, Origin

_HIGH, _MEDIUM, _LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


class Nature(Struct, frozen=True):
    """What a value is: its origin, how long it lives, how sure that is, why, whether it is usually a long text, what keeps it."""

    origin: Origin
    lifetime: Lifetime
    confidence: Confidence
    reason: str = ""
    is_long: bool = False
    kept: str = ""


UNKNOWN: Final = Nature(Origin.UNKNOWN, Lifetime.USER, _LOW)
LITERAL: Final = Nature(Origin.LITERAL, Lifetime.STATIC, _HIGH)


_Row = tuple[Origin, Lifetime, Confidence, str]

_STRONG_ROWS: Final[tuple[_Row, ...]] = (
    (
        Origin.CLOCK,
        Lifetime.CALL,
        _HIGH,
        "now, utcnow, right now, now utc, utc now, current time, local time, utc time, system time, server time, "
        "request time, time now, time of day, iso time, unix time, unix timestamp, epoch, epoch ms, epoch seconds, "
        "current timestamp, utc timestamp, iso timestamp, request timestamp, current datetime, datetime now, "
        "current date time, date and time, date time, wall clock, current hour, current minute, time string, time str, "
        "present time, strftime now, current utc, generated at, requested at, rendered at, current dt, current ts, "
        "as of time, as of timestamp, as of datetime",
    ),
    (
        Origin.CLOCK,
        Lifetime.DAY,
        _HIGH,
        "today, todays date, today s date, current date, today date, date today, date string, date str, current day, "
        "current month, current year, current weekday, weekday, day of week, day name, iso date, utc date, local date, "
        "date now, system date, day of the week, as of date",
    ),
    (
        Origin.ID,
        Lifetime.CALL,
        _HIGH,
        "request id, trace id, correlation id, span id, req id, rid, call id, message id, turn id, invocation id, run id, "
        "execution id, response id, completion id, generation id, interaction id, request uuid, trace uuid, run uuid, "
        "request guid, uuid4, ulid, nanoid, nonce, idempotency key, random id, unique id, cache buster, random uuid, "
        "query id, prompt id, x request id",
    ),
    (Origin.ID, Lifetime.CALL, _MEDIUM, "job id, task id, event id, transaction id, operation id, transaction uuid, salt, trace"),
    (
        Origin.ID,
        Lifetime.SESSION,
        _HIGH,
        "session id, conversation id, thread id, chat id, sid, conv id, dialog id, session key, session token, session uuid, "
        "conversation uuid, dialogue id",
    ),
    (
        Origin.COUNTER,
        Lifetime.CALL,
        _MEDIUM,
        "turn number, turn index, turn count, turn no, turn num, message count, messages count, num messages, num turns, "
        "tokens left, remaining tokens, tokens remaining, tokens used, token count, used tokens, iteration, attempt, "
        "retry count, attempt number, counter, step number, step count, request count, call count, loop count, "
        "message number, context usage, budget left, remaining budget, steps left, remaining steps",
    ),
    (
        Origin.HISTORY,
        Lifetime.SESSION,
        _HIGH,
        "history, histories, messages, conversation, transcript, dialog, dialogue, turns, chat, msgs, chat log, "
        "conversation log, message log, message list, exchanges, convo, previous turns",
    ),
    (
        Origin.RETRIEVAL,
        Lifetime.TURN,
        _HIGH,
        "docs, documents, contexts, chunks, passages, retrieved, retrieval, retriever, search results, search result, hits, "
        "memories, memory, recalled, knowledge, knowledge base, kb, snippets, retrieved text, rag, rag context, web results, "
        "retrieved context, relevant context, web sources, query results, citations, excerpts, top k, vector store, vectorstore, "
        "example selector, few shot selector, fewshot selector, shot selector",
    ),
    (
        # What frameworks hand to a call besides the question: who asks, and with which rights.
        Origin.USER,
        Lifetime.USER,
        _MEDIUM,
        "runtime context, request context, run context, auth context, security context, app context, application context",
    ),
    (
        Origin.RETRIEVAL,
        Lifetime.TURN,
        _MEDIUM,
        "doc, document, chunk, passage, snippet, sources, results, matches, references, evidence, facts, grounding, "
        "excerpt, corpus, background, fragments, quotes",
    ),
    (
        Origin.RELEASE,
        Lifetime.RELEASE,
        _MEDIUM,
        "version, app version, model, model name, model id, env, environment, build, commit, git sha, release, config, "
        "bos token, eos token, pad token, unk token, sep token, cls token, bos, eos, add generation prompt, "
        "enable thinking, reasoning effort, output format, response format, template, chat template, knowledge cutoff, "
        "cutting knowledge date, labels, constants, headers, header, footer, assistant, bot, chatbot, agent, "
        "training cutoff, settings, business hours, business days, business rules, business logic",
    ),
    (
        Origin.TENANT,
        Lifetime.TENANT,
        _HIGH,
        "tenant, tenants, org, organization, organisation, company, brand, workspace, account, business, tenant config",
    ),
    (
        Origin.TENANT,
        Lifetime.TENANT,
        _MEDIUM,
        "merchant, shop, store, team, department, employer, partner, site, vendor, franchise, reseller, institution, school, "
        "hotel",
    ),
    (
        Origin.USER,
        Lifetime.USER,
        _HIGH,
        "user, username, customer, guest, email, user id, first name, last name, full name, nickname, "
        "surname, given name, display name, phone, birthday, date of birth, "
        "birth date, birthdate, preferred name, email address, uid",
    ),
    (
        Origin.USER,
        Lifetime.USER,
        _MEDIUM,
        "person, member, patient, student, employee, caller, visitor, subscriber, learner, player, owner, contact, client, "
        "preferences, address, gender, age, operator, buyer, traveler, traveller, applicant, "
        "shell, platform, os, plan, location, order history, purchase history, medical history, patient history, "
        "customer history, browsing history, transaction history, payment history, employment history, work history",
    ),
    (
        Origin.FLAG,
        Lifetime.USER,
        _MEDIUM,
        "tier, subscription plan, pricing plan, ab bucket, a b bucket, ab variant, experiment group, experiment variant, "
        "test group, treatment group, feature flag, feature flags, ui language, user locale, user language",
    ),
    (
        Origin.FLAG,
        Lifetime.USER,
        _LOW,
        "language, locale, lang, timezone, tz, time zone, country, region, currency, language code",
    ),
    (
        Origin.HOST,
        Lifetime.TENANT,
        _MEDIUM,
        "hostname, host name, machine name, machine id, pid, process id, pod name, container id, host ip, node id",
    ),
    (
        Origin.SESSION,
        Lifetime.SESSION,
        _MEDIUM,
        "session, cwd, working directory, current directory, work dir, workdir, project root, repo root, workspace path, "
        "git branch, branch name, selected file",
    ),
    (
        Origin.SESSION,
        Lifetime.TURN,
        _MEDIUM,
        "git status, open files, current file, active file, current screen, device states, screen state, clipboard, open tabs, "
        "directory listing, file tree, plan state, todo list, todos, weather, current location, game state, world state",
    ),
    (
        Origin.INPUT,
        Lifetime.TURN,
        _HIGH,
        "question, questions, query, queries, input, inputs, user input, user message, user query, user prompt, user request, "
        "utterance, user text, user question, last message, latest message, current message, new message, human input, "
        "agent scratchpad, scratchpad, follow up, followup, last user message, search query, prompt text, human message",
    ),
    (
        Origin.INPUT,
        Lifetime.TURN,
        _MEDIUM,
        "task, topic, problem, issue, ticket, article, code, diff, patch, source code, sentence, paragraph, claim, review, "
        "comment, post, tweet, draft, answer, response, completion, reply, output, essay, html, image, request, intent, "
        "goal, objective, instruction, tool result, tool results, tool output, tool outputs, tool response, observation, "
        "observations, function result, email body, email text, file content, file contents, transcription, subject, "
        "page content, selection, selected text, stack trace, traceback, error log, ocr text, candidate answer, prediction, "
        "signed url, presigned url",
    ),
)

_LONG_ROWS: Final[tuple[_Row, ...]] = (
    (
        Origin.TOOLS,
        Lifetime.RELEASE,
        _HIGH,
        "tools, tool, functions, toolset, tool schemas, tool schema, tool list, tool defs, tool definitions, tool specs, "
        "tool descriptions, available tools, function schemas, function definitions, function specs, tool names, "
        "tool catalog, toolbox, function list, tool manifest, tool signatures",
    ),
    (
        Origin.RELEASE,
        Lifetime.RELEASE,
        _MEDIUM,
        "system prompt, system message, system text, system, system instruction, system instructions, instructions, "
        "base prompt, core prompt, main prompt, default prompt, agent prompt, assistant prompt, role prompt, prompt prefix, "
        "system prefix, static prefix, developer message, developer prompt, ground rules, operating principles, "
        "rules, guidelines, policy, policies, persona, preamble, example, examples, few shot, few shots, fewshot, fewshots, "
        "shots, demonstrations, demos, schema, json schema, output schema, response schema, format instructions, glossary, "
        "api docs, skill docs, skills docs, tool docs, tools docs, function docs, command docs, usage docs, agent docs, "
        "documentation, api reference, skills, criteria, rubric, rubrics, categories, taxonomy, few shot examples, style guide, "
        "faq, faqs, capabilities, constraints, handbook, playbook, constitution, code of conduct, safety rules, "
        "guardrails, guard rails, database schema, db schema, table schema, data dictionary, ddl",
    ),
    (
        Origin.USER,
        Lifetime.USER,
        _HIGH,
        "profile, user profile, custom instructions, user instructions, about me, user preferences",
    ),
)
"""Strong words for what is usually a text of many sentences, so that it weighs without being counted."""

_WEAK_ROWS: Final[tuple[_Row, ...]] = (
    (Origin.CLOCK, Lifetime.CALL, _HIGH, "time, timestamp, datetime, clock, ts, moment"),
    (Origin.CLOCK, Lifetime.DAY, _HIGH, "date, day"),
    (Origin.CLOCK, Lifetime.DAY, _MEDIUM, "year, month"),
    (Origin.CLOCK, Lifetime.CALL, _MEDIUM, "hour, minute, second"),
    (Origin.ID, Lifetime.CALL, _HIGH, "uuid, guid"),
    (Origin.RANDOM, Lifetime.CALL, _MEDIUM, "random, rand"),
    (Origin.USER, Lifetime.USER, _MEDIUM, "name"),
    (Origin.FLAG, Lifetime.USER, _MEDIUM, "bucket, variant, cohort, experiment"),
    (Origin.RETRIEVAL, Lifetime.TURN, _HIGH, "context"),
    (Origin.RETRIEVAL, Lifetime.TURN, _MEDIUM, "source, quote"),
    (
        Origin.INPUT,
        Lifetime.TURN,
        _MEDIUM,
        "text, content, body, prompt, message, msg, value, data, description, summary, word, title, url",
    ),
)


def _by_phrase(rows: tuple[_Row, ...], is_long: bool = False) -> dict[tuple[str, ...], Nature]:
    table: dict[tuple[str, ...], Nature] = {}
    for origin, lifetime, confidence, words in rows:
        for phrase in words.split(", "):
            nature = Nature(origin, lifetime, confidence, is_long=is_long)
            parts = tuple(phrase.split())
            table[parts] = nature
            if len(parts) > 1:
                # ``sessionid`` and ``username`` are written without a seam as well.
                table.setdefault(("".join(parts),), nature)
            if origin is Origin.ID and parts[-1] == "id":
                table.setdefault((*parts[:-1], "uuid"), nature)
                table.setdefault((*parts[:-1], "guid"), nature)
    return table


_OTHER_TONGUES: Final[tuple[_Row, ...]] = (
    (Origin.CLOCK, Lifetime.CALL, _HIGH, NOW_PHRASES),
    (Origin.CLOCK, Lifetime.DAY, _HIGH, TODAY_PHRASES),
)
_OTHER_WORDS: Final[tuple[_Row, ...]] = (
    (Origin.CLOCK, Lifetime.CALL, _HIGH, NOW),
    (Origin.CLOCK, Lifetime.DAY, _HIGH, TODAY),
    (Origin.CLOCK, Lifetime.CALL, _MEDIUM, TIME),
    (Origin.CLOCK, Lifetime.DAY, _MEDIUM, DATE),
)
STRONG: Final = {**_by_phrase((*_STRONG_ROWS, *_OTHER_TONGUES)), **_by_phrase(_LONG_ROWS, is_long=True)}
WEAK: Final = {parts[0]: nature for parts, nature in _by_phrase((*_WEAK_ROWS, *_OTHER_WORDS)).items()}
LONGEST_PHRASE: Final = max(len(parts) for parts in STRONG)
