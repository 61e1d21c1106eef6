"""Reads one document over https: bounded in size and time, certificates checked, never led to a weaker scheme."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urljoin, urlsplit

from ascendenv import __version__
from ascendenv.errors import HostFailed, UnusableInput
from ascendenv.language import say
from ascendenv.sources.origin import short_name

if TYPE_CHECKING:
    import requests

__all__ = ["LARGEST", "AddressFailed", "read_address"]

LARGEST = 64 << 20
"""Bytes: the longest list there is, every file of a big project on the package index, has a few million."""
CONNECT, SILENCE, WHOLE = 15.0, 30.0, 180.0
"""Seconds to connect, between two pieces, and for all of it."""
_ACCEPT = "application/vnd.pypi.simple.v1+json, text/plain;q=0.9, text/html;q=0.5, */*;q=0.4"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_CHAIN = 5
_BLOCK = 1 << 16
_FROM_HERE_ON_THE_SERVER_FAILS = 500


class AddressFailed(HostFailed):
    """The server did not give the document."""

    code: ClassVar[str] = "address-failed"


def read_address(url: str, *, largest: int = LARGEST, whole: float = WHOLE) -> bytes:
    """The document at `url`; raises UnusableInput where the address is wrong, AddressFailed where the server fails."""
    import requests

    try:
        with requests.Session() as session:
            session.headers.update({"User-Agent": f"ascendenv/{__version__}", "Accept": _ACCEPT})
            return _body(_follow(session, url), url, largest, time.monotonic() + whole)
    except requests.exceptions.SSLError as error:
        hint = say("a site's own authority is named with REQUESTS_CA_BUNDLE=/path/ca.pem")
        raise AddressFailed(
            say("its certificate is not trusted"), where=short_name(url), hint=hint
        ) from error
    except requests.exceptions.Timeout as error:
        raise AddressFailed(say("the server did not answer in time"), where=short_name(url)) from error
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
        raise UnusableInput(say("this is no address"), where=short_name(url)) from error
    except (requests.exceptions.RequestException, OSError) as error:
        raise AddressFailed(
            say("the connection broke: {reason}", reason=_reason(error)),
            where=short_name(url),
            hint=say("save the document and give the file instead"),
        ) from error


def _follow(session: requests.Session, url: str) -> requests.Response:
    for _ in range(_LONGEST_CHAIN):
        if urlsplit(url).scheme != "https":
            raise UnusableInput(
                say("only https addresses are read"),
                where=short_name(url),
                hint=say("save the document and give the file instead"),
            )
        # Followed by hand: each step is looked at before it is taken.
        response = session.get(url, stream=True, allow_redirects=False, timeout=(CONNECT, SILENCE))
        target = response.headers.get("Location")
        if response.status_code not in _REDIRECTS or target is None:
            return _good(response, url)
        response.close()
        url = urljoin(url, target)
    raise AddressFailed(say("it leads from one address to the next without end"), where=short_name(url))


def _good(response: requests.Response, url: str) -> requests.Response:
    status = response.status_code
    if status >= _FROM_HERE_ON_THE_SERVER_FAILS:
        raise AddressFailed(say("the server answered {status}", status=status), where=short_name(url))
    if status != 200:  # noqa: PLR2004  (OK)
        raise UnusableInput(say("the server answered {status}", status=status), where=short_name(url))
    return response


def _body(response: requests.Response, url: str, largest: int, end: float) -> bytes:
    parts, size = [], 0
    with response:
        for block in response.iter_content(_BLOCK):
            parts.append(block)
            size += len(block)
            if size > largest:
                raise UnusableInput(
                    say("this is longer than {size} MB, which no such list is", size=largest >> 20),
                    where=short_name(url),
                )
            if time.monotonic() > end:
                raise AddressFailed(say("the server did not answer in time"), where=short_name(url))
    return b"".join(parts)


def _reason(error: BaseException) -> str:
    """The innermost reason in few words; libraries wrap it several times."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    return str(getattr(error, "strerror", None) or error or type(error).__name__)[:200]
