"""What calls of the libraries of Python and JavaScript stand for where the last word of their name does not say it."""

from __future__ import annotations

import re
from typing import Final

from radixlint.lifetime.name_match import nature_of_name
from radixlint.lifetime.name_table import Nature
from radixlint.lifetime.name_words import words
from radixlint.prompt import Confidence, Expression, Lifetime, Origin

_CLOCK: Final = Nature(Origin.CLOCK, Lifetime.CALL, Confidence.HIGH)
_DAY: Final = Nature(Origin.CLOCK, Lifetime.DAY, Confidence.HIGH)
_HOST: Final = Nature(Origin.HOST, Lifetime.TENANT, Confidence.HIGH)
_SYSTEM: Final = Nature(Origin.HOST, Lifetime.RELEASE, Confidence.MEDIUM, "it is the same on all machines of one kind")
_FILE: Final = Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM, "it is read from a file", is_long=True)
_RANKED: Final = Nature(Origin.RETRIEVAL, Lifetime.TURN, Confidence.MEDIUM)
_FOLDER: Final = Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM, "it is a list of files")
_ENDS: Final[dict[str, Nature]] = {
    **dict.fromkeys(
        words(
            "time.strftime time.asctime time.monotonic time.perf_counter dayjs moment Date dayjs() moment() DateTime.local "
            "DateTime.utc Temporal.Now.instant Temporal.Now.plainDateTimeISO Temporal.Now.zonedDateTimeISO process.hrtime "
            "process.hrtime.bigint process.uptime os.uptime"
        ),
        _CLOCK,
    ),
    **dict.fromkeys(
        words(
            "platform.node os.uname os.hostname platform.platform os.getlogin getpass.getuser os.userInfo "
            "os.networkInterfaces process.pid.toString Path.cwd process.cwd Deno.cwd os.getcwdb Path.home os.homedir os.tmpdir "
            "tempfile.gettempdir"
        ),
        _HOST,
    ),
    **dict.fromkeys(words("os.platform os.arch os.type os.release os.machine"), _SYSTEM),
    **dict.fromkeys(
        words("os.urandom crypto.randomBytes crypto.getRandomValues"), Nature(Origin.RANDOM, Lifetime.CALL, Confidence.HIGH)
    ),
    **dict.fromkeys(
        words(
            "Date.toString Date.toTimeString Date.toUTCString Date.toJSON Date.toLocaleString Date.valueOf Date.getHours "
            "Date.getMinutes Date.getSeconds Date.getMilliseconds"
        ),
        _CLOCK,
    ),
    **dict.fromkeys(
        words("Date.getDate Date.getDay Date.getMonth Date.getFullYear Date.toLocaleDateString Temporal.Now.plainDateISO"), _DAY
    ),
    **dict.fromkeys(words("uuid.v1 uuid.v4 uuid.v6 uuid.v7 createId"), Nature(Origin.ID, Lifetime.CALL, Confidence.HIGH)),
    "itertools.count": Nature(Origin.COUNTER, Lifetime.CALL, Confidence.HIGH),
    **dict.fromkeys(words("stdin.read sys.stdin.read input"), Nature(Origin.INPUT, Lifetime.TURN, Confidence.HIGH)),
}
# Of a moment that is given they tell that moment.
_MOMENTS: Final = ("Date", "moment", "dayjs")
_READS: Final = words("read_text read_bytes readFileSync readFile readTextFile load_prompt")
_LISTS: Final = words("readdir readdirSync globSync glob iglob rglob iterdir listdir scandir")
# Ranks what is kept by how near it is to something.
_RANKINGS: Final = words("argsort argpartition topk cosine_similarity cos_sim pairwise_distances cdist get_top_n")
_PROGRAMS: Final = words(
    "subprocess.check_output subprocess.run subprocess.getoutput subprocess.Popen os.popen execSync spawnSync exec os.system"
)
_SCRIPT_PROGRAMS: Final = words("execSync execFileSync spawnSync")
_COMMANDS: Final[dict[str, Nature]] = {
    **dict.fromkeys(("date", "/bin/date", "uptime", "timedatectl"), _CLOCK),
    **dict.fromkeys(("hostname", "uname", "whoami", "pwd"), _HOST),
    "uuidgen": Nature(Origin.ID, Lifetime.CALL, Confidence.HIGH),
    "git": Nature(Origin.SESSION, Lifetime.SESSION, Confidence.MEDIUM, "the state of a repository changes while one works in it"),
}
# Which commit, folder or server a copy of the repository is of.
_OF_COPY: Final = re.compile(r"git\s+(?:-C\s+\S+\s+)?(?:rev-parse(?!\s+--abbrev-ref)|describe|config|remote|--version)\b")
_ENVIRONMENT: Final = re.compile(r"^(?:os\.environ|process\.env|os\.environb|import\.meta\.env|Deno\.env)\b")
_PROCESS: Final = re.compile(r"^process\.p?pid\b")
# The first ten characters of an ISO time are the day.
_DAY_CUT: Final = re.compile(
    r"\[\s*(?:0\s*)?:\s*10\s*\]|\.(?:slice|substring|substr)\(\s*0\s*,\s*10\s*\)|\.split\(\s*['\"]T['\"]\s*\)\s*(?:\[\s*0\s*\]|\.at\(0\))"
)
_STATEMENT: Final = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_KEY: Final = re.compile(r"\bwhere\b[^;]*?\b(?:_?id|pk|uuid|guid|key|slug|name)[\"'`\]]?\s*=", re.IGNORECASE)
_OF_MOMENT: Final = re.compile(r"(?:^|\.)(?:Date|datetime|fromisoformat|fromtimestamp|parse|strptime)\(\)$")


def nature_of_program_call(call: str, expression: Expression) -> Nature | None:
    """Return what a call of a program stands for, None if the tables for all formats decide."""
    bare = call.replace("()", "")
    for start in range(bare.count(".") + 1):
        found = _ENDS.get(bare.split(".", start)[-1])
        if found is not None and not (bare.split(".")[0] in _MOMENTS and expression.names):
            return found
    last = bare.rsplit(".", 1)[-1]
    if last in _RANKINGS:
        return _RANKED if any(nature_of_name(name).origin is Origin.INPUT for name in expression.names) else None
    if last in _READS or (last == "read" and ("open()" in call or "Path" in call)):
        return _FILE
    if last in _LISTS:
        return _FOLDER
    if (bare in _PROGRAMS or last in _SCRIPT_PROGRAMS) and expression.constants:
        return _nature_of_command(" ".join(expression.constants).split())
    return None


def _nature_of_command(command: list[str]) -> Nature | None:
    return _HOST if _OF_COPY.match(" ".join(command)) else _COMMANDS.get(command[0] if command else "")


def is_given_moment(call: str, expression: Expression) -> bool:
    """Whether a clock's method is called on a moment that was given, as in ``new Date(order.created).toISOString()``."""
    receiver = call.rpartition(".")[0]
    return bool(expression.names) and bool(_OF_MOMENT.search(receiver))


def nature_of_environment(name: str) -> Nature | None:
    """Return what a variable of the environment, or the number of the process, is; None if ``name`` is none."""
    if _PROCESS.match(name):
        return _HOST
    if not _ENVIRONMENT.match(name):
        return None
    return Nature(Origin.HOST, Lifetime.RELEASE, Confidence.MEDIUM, f"`{name}` is part of the environment of the process")


def is_plain_read(call: str, expression: Expression) -> bool:
    """Whether a query is a statement that asks a database for one key, or for nothing that is given to it."""
    for text in expression.constants:
        if _STATEMENT.match(text):
            given = [name for name in expression.names if not call.startswith(f"{name}.")]
            return not given or _KEY.search(text) is not None
    return False


def is_day_cut(text: str) -> bool:
    """Whether source text cuts an ISO time off behind the day."""
    return bool(_DAY_CUT.search(text))
