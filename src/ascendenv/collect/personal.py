"""What in a text tells who and where: addresses, serial numbers, secrets, home folders, hosts in URLs.

Each rule yields (kind, start, end) of the part that must go. A false alarm costs a word; a miss tells a secret.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Span: TypeAlias = "tuple[str, int, int]"

__all__ = ["SYSTEM_NAMES", "host_spans", "is_secret_name", "names_hosts", "personal_spans", "words"]


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


SYSTEM_NAMES = words(
    "root HwHiAiUser HwDmUser HwBaseUser HwSysUser hwMindX nobody daemon bin sys adm wheel sudo docker video render"
    " users staff disk kvm tty audio games mail www-data sshd systemd-network messagebus nogroup plugdev cdrom dialout"
    " lp man"
)
"""Accounts and groups that every machine may have; they name nobody."""
_PUBLIC = words(
    "pypi.org files.pythonhosted.org download.pytorch.org github.com huggingface.co hf-mirror.com www.hiascend.com"
    " hiascend.com quay.io docker.io gitee.com modelscope.cn www.modelscope.cn mirrors.aliyun.com localhost"
    " mirrors.tuna.tsinghua.edu.cn pypi.tuna.tsinghua.edu.cn repo.huaweicloud.com mirrors.huaweicloud.com"
)
_FILE_ENDINGS = words("py pyc c cc cpp h hpp so ko log txt json yaml yml conf cfg info sh ini md go rs java")
_SECRET_NAME = re.compile(
    r"(?:^|[_-])(?:TOKENS?|SECRETS?|PASS(?:WORD|WD|PHRASE)?|PWD|API_?KEYS?|ACCESS_?KEY(?:_ID)?|PRIVATE_?KEY|CREDENTIALS?|AUTH|"
    r"COOKIE|SESSION|BEARER|AK|SK)(?:$|[_-])",
    re.IGNORECASE,
)
_NO_SECRET = frozenset(
    ("PWD", "OLDPWD", "SSH_AUTH_SOCK", "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_SESSION_CLASS")
)
_TOKEN = re.compile(
    r"\b(?:hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|"
    r"AKIA[0-9A-Z]{12,}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)"
)
_ASSIGNED = re.compile(
    r"(?i)(?:\b(?:token|secret|passw(?:or)?d|passwd|api[_-]?key|access[_-]?key|bearer)\b[\"']?\s{0,3}(?:[=:]|\s)\s{0,3}"
    r"[\"']?)(?P<value>[^\s\"',;&]{4,})"
)
_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,15}://(?:(?P<login>[^\s/@\"']{1,200})@)?(?P<host>\[[0-9a-fA-F:]+\]|[\w.-]+)"
)
_LOGIN = re.compile(r"\b(?P<user>[A-Za-z][\w.+-]{0,63})@(?P<host>[A-Za-z][\w-]*(?:\.[\w-]+)*)")
_HOST_PORT = re.compile(r"(?<![\w./@-])(?P<host>[A-Za-z][\w-]*(?:\.[\w-]+)+):\d{2,5}(?![\w:])")
_NAMES_HOSTS = re.compile(r"(?i)(?:proxy|host|hosts|addr|address|server|servers|endpoint|registry|domain)$")
_HOST = re.compile(r"(?<![\w/@-])\.?[A-Za-z][\w-]*(?:\.[\w-]+)+(?![\w/])")
_HOME = re.compile(r"(?:/home|/Users|/data/home|/export/home)/(?P<user>[^/\s:\"',;]+)")
_SERIAL = re.compile(
    r"(?i)(?:serial(?: ?(?:number|no\.?))?|\bs/?n\b|[vn]?die id|chassis id|asset tag|device uuid)\s{0,40}[:=]\s{0,4}"
    r"(?P<value>[\w-]{4,}(?: [\w-]{4,}){0,5})"
)
_UUID = re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b")
_MAC = re.compile(
    r"(?<![\w:.-])(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}(?![\w:])|(?<![\w:.-])(?:[0-9a-fA-F]{2}-){5}[0-9a-fA-F]{2}(?![\w-])"
)
_IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}(?:%\w+)?(?![\w:.])")
_VERSION_BEFORE = re.compile(
    r"(?i)(?:version|driver|firmware|package|release|cann|toolkit|npu-smi|==|[<>~!]=)[\w.]*[\"']?\s{0,24}[:=|]?\s{0,3}[\"'\[(v]{0,2}$"
)
_VERSION_LIST = re.compile(r"(?i)^\s*\w*version\w*\s*[=:]")
_HIGHEST_MAJOR = 99
_FEWEST_GROUPS = 3


def is_secret_name(name: str) -> bool:
    """Whether a variable of that name holds what nobody else may know."""
    return name.upper() not in _NO_SECRET and _SECRET_NAME.search(name) is not None


def names_hosts(name: str) -> bool:
    """Whether a variable of that name holds hosts, as proxies and addresses of masters do."""
    return _NAMES_HOSTS.search(name) is not None


def host_spans(text: str) -> Iterator[Span]:
    """The hosts in the value of a variable that names some."""
    for found in _HOST.finditer(text):
        if found.group().lower() not in _PUBLIC and not _is_address(found.group()):
            yield ("host", *found.span())


def personal_spans(text: str) -> Iterator[Span]:
    """The parts of `text` that must go, from all rules; they may overlap."""
    yield from _secrets(text)
    if "/" in text or "@" in text or ":" in text:
        yield from _places(text)
    if "-" in text or ":" in text or "=" in text:
        yield from _numbers(text)
    if "." in text or ":" in text:
        yield from _addresses(text)


def _secrets(text: str) -> Iterator[Span]:
    yield from (("secret", *found.span()) for found in _TOKEN.finditer(text))
    yield from (("secret", *found.span("value")) for found in _ASSIGNED.finditer(text))


def _places(text: str) -> Iterator[Span]:
    for found in _URL.finditer(text):
        if found["login"]:
            yield ("secret", *found.span("login"))
        if found["host"].lower() not in _PUBLIC and not _is_address(found["host"].strip("[]")):
            yield ("host", *found.span("host"))
    for found in _LOGIN.finditer(text):
        yield ("host", *found.span("host"))
        if found["user"] not in SYSTEM_NAMES:
            yield ("user", *found.span("user"))
    for found in _HOST_PORT.finditer(text):
        if found["host"].rpartition(".")[2].lower() not in _FILE_ENDINGS | _PUBLIC:
            yield ("host", *found.span("host"))
    for found in _HOME.finditer(text):
        if found["user"] not in SYSTEM_NAMES and "*" not in found["user"]:
            yield ("user", *found.span("user"))


def _numbers(text: str) -> Iterator[Span]:
    yield from (("serial", *found.span("value")) for found in _SERIAL.finditer(text))
    yield from (("serial", *found.span()) for found in _UUID.finditer(text))
    yield from (("mac", *found.span()) for found in _MAC.finditer(text))


def _addresses(text: str) -> Iterator[Span]:
    for found in _IPV4.finditer(text):
        if _is_address(found.group()) and not _is_version(text, found):
            yield ("ipv4", *found.span())
    for found in _IPV6.finditer(text):
        plain = found.group().partition("%")[0]
        if plain.count(":") >= _FEWEST_GROUPS - 1 and _is_address(plain) and len(plain) > len("::1"):
            yield ("ipv6", *found.span())


def _is_address(text: str) -> bool:
    """Whether it is an address of some machine; loopback, `any` and netmasks are everybody's."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or text.startswith("255."))


def _is_version(text: str, found: re.Match[str]) -> bool:
    """Whether four numbers are a version such as 24.1.0.1: a word for one stands right before, or names the line."""
    if int(found.group().partition(".")[0]) > _HIGHEST_MAJOR:
        return False
    line_start = text.rfind("\n", 0, found.start()) + 1
    before = text[max(line_start, found.start() - 80) : found.start()]
    return bool(_VERSION_BEFORE.search(before) or _VERSION_LIST.match(text[line_start : found.start()]))
