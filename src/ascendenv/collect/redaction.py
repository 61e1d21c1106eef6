"""A snapshot made fit to leave the house: who and where is replaced by keyed pseudonyms, the rest stays as it is.

Equal things stay equal, so that a duplicate address is still seen to be one. The file says what was replaced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ascendenv.collect.personal import (
    SYSTEM_NAMES,
    host_spans,
    is_secret_name,
    names_hosts,
    personal_spans,
    words,
)
from ascendenv.collect.pseudonyms import Pseudonyms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["REDACTION", "Redactor", "redacted"]

REDACTION = "redaction"
"""The key under which a redacted snapshot lists what was replaced."""
_HOST_VARIABLES = (
    "HOSTNAME",
    "HOST",
    "NODE_NAME",
    "MY_NODE_NAME",
    "POD_NAME",
    "MASTER_ADDR",
    "SSH_CLIENT_HOST",
)
_USER_VARIABLES = ("USER", "LOGNAME", "USERNAME", "SUDO_USER")
_COMMON = words(
    "localhost ascend npu cann torch python python3 linux driver host node server none null true false user users admin"
    " test home data local ubuntu openeuler debian centos dev tmp var opt usr lib lib64 etc proc sys bin sbin mnt run srv"
    " boot media share log logs work workspace model models train ray vllm cache info error warning chip card device"
    " kernel memory version container docker group owner default latest system process network storage machine name"
    " path file files text mode kind link errors names value values release build code time"
)
"""Names that are words of every report; they are replaced where they stand as a name, not inside of texts."""
_SHORTEST = 3
_VERSION_KEYS = frozenset(
    ("version", "distributions", "collector_python", "versions", "vermagic", "module_versions")
)
_VERSION = re.compile(r"\d{1,2}(?:\.\d+)+(?:[.+-]?\w+)*")


class Redactor:
    """Replaces what is personal in texts, by rules and by the names that are known of this machine."""

    def __init__(self, pseudonyms: Pseudonyms, names: Mapping[str, str]) -> None:
        """`names` maps the names that must go to their kind (`host`, `user`)."""
        self._pseudonyms = pseudonyms
        self._names = dict(names)
        inside = [name for name in names if len(name) >= _SHORTEST and name.lower() not in _COMMON]
        ordered = sorted(inside, key=len, reverse=True)
        words = "|".join(map(re.escape, ordered))
        # A host may be followed by its domain, which tells as much.
        domain = r"(?P<domain>(?:\.[A-Za-z][A-Za-z0-9-]*)*)"
        self._known = (
            re.compile(rf"(?<![A-Za-z0-9_])(?P<name>{words})(?![A-Za-z0-9_]){domain}") if words else None
        )

    def text(self, text: str) -> str:
        """`text` without what is personal."""
        if text in self._names:
            return self._pseudonyms.of(self._names[text], text)
        return self._with(text, {*personal_spans(text), *self._named(text)})

    def _with(self, text: str, found: set[tuple[str, int, int]]) -> str:
        """`text` with the parts `found` replaced; of parts that overlap the first and longest counts."""
        spans = sorted(found, key=lambda span: (span[1], -span[2], span[0]))
        parts: list[str] = []
        done = 0
        for kind, start, end in spans:
            if start >= done:
                parts += [text[done:start], self._replacement(kind, text[start:end])]
                done = end
        return "".join([*parts, text[done:]])

    def _replacement(self, kind: str, original: str) -> str:
        if self._pseudonyms.is_pseudonym(original):
            return original
        return self._pseudonyms.of(self._names.get(original, kind), original)

    def _named(self, text: str) -> Iterator[tuple[str, int, int]]:
        if self._known is not None:
            for found in self._known.finditer(text):
                kind = self._names[found["name"]]
                yield (kind, *(found.span() if kind == "host" else found.span("name")))

    def value(self, value: Any) -> Any:  # noqa: ANN401  (JSON of any form)
        """The same for JSON data, keys included; variables whose name says that they are secret lose their value."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {self.text(str(key)): self._member(str(key), one) for key, one in value.items()}
        return value

    def _member(self, key: str, value: Any) -> Any:  # noqa: ANN401
        if key in _VERSION_KEYS:
            return self._versions(value)
        if isinstance(value, str) and value:
            if is_secret_name(key):
                return self._replacement("secret", value)
            if names_hosts(key):
                return self._with(value, {*host_spans(value), *personal_spans(value), *self._named(value)})
        return self.value(value)

    def _versions(self, value: Any) -> Any:  # noqa: ANN401
        """What a member holds that names versions: four numbers are no address there."""
        if isinstance(value, str):
            return value if _VERSION.fullmatch(value) else self.text(value)
        if isinstance(value, list):
            return [self._versions(one) for one in value]
        if isinstance(value, dict):
            return {self._versions(str(key)): self._versions(one) for key, one in value.items()}
        return value


def redacted(snapshot: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The snapshot without hosts, users, addresses, serial numbers, secrets and home folders.

    Its member `redaction` lists each pseudonym with its kind and how often it stands in the file. A snapshot that was
    redacted before stays as it is where pseudonyms stand.
    """
    before = snapshot.get(REDACTION)
    listed = before.get("replaced", []) if isinstance(before, dict) else []
    earlier = [one for one in listed if isinstance(one, dict) and isinstance(one.get("pseudonym"), str)]
    pseudonyms = Pseudonyms(key, frozenset(one["pseudonym"] for one in earlier))
    redactor = Redactor(pseudonyms, names_of(snapshot))
    clean = {name: redactor.value(section) for name, section in snapshot.items() if name != REDACTION}
    replaced = [
        {"kind": kind, "pseudonym": name, "count": count} for (kind, name), count in pseudonyms.counts.items()
    ]
    clean[REDACTION] = {
        "key": _earlier_key(before) if not replaced and _earlier_key(before) else pseudonyms.key_id,
        "replaced": [*earlier, *sorted(replaced, key=lambda one: (str(one["kind"]), str(one["pseudonym"])))],
    }
    return clean


def _earlier_key(before: object) -> str:
    key = before.get("key") if isinstance(before, dict) else None
    return key if isinstance(key, str) else ""


def names_of(snapshot: Mapping[str, Any]) -> dict[str, str]:
    """The names of hosts and people that the records hold, with their kind."""
    names = dict.fromkeys(_hosts(snapshot), "host")
    names.update(dict.fromkeys(_users(snapshot), "user"))
    return {
        name: kind for name, kind in names.items() if name and name not in SYSTEM_NAMES and not name.isdigit()
    }


def _part(snapshot: Mapping[str, Any], *path: str) -> Any:  # noqa: ANN401
    value: Any = snapshot
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _hosts(snapshot: Mapping[str, Any]) -> Iterator[str]:
    yield from _strings(_part(snapshot, "machine", "uname", "host"))
    for name in _HOST_VARIABLES:
        for value in _strings(_part(snapshot, "process", "environ", name)):
            if not value[:1].isdigit():  # an address is replaced by its form
                yield value


def _users(snapshot: Mapping[str, Any]) -> Iterator[str]:
    for name in _USER_VARIABLES:
        yield from _strings(_part(snapshot, "process", "environ", name))
    yield from _strings(_part(snapshot, "process", "user"))
    yield from _strings(_part(snapshot, "process", "groups"))
    yield from _strings(_part(snapshot, "devices", "accounts", "members"))
    for section, part in (("devices", "nodes"), ("driver", "places"), ("cann", "links")):
        looks = _part(snapshot, section, part)
        for look in looks.values() if isinstance(looks, dict) else ():
            yield from _strings(_part(look, "owner"))
            yield from _strings(_part(look, "group"))


def _strings(value: object) -> Iterable[str]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str) and one]
