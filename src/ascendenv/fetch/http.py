"""Asks a server for the bytes of a file from a place in it on.

Certificates are always checked; a redirect to a weaker scheme is refused.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from ascendenv import __version__
from ascendenv.fetch.answers import Answer, Asked, Broken, Refused, shown
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import requests

    from ascendenv.language import Message

__all__ = ["Client"]

_STRENGTH = {"http": 1, "https": 2}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_CHAIN = 10
_BLOCK = 1 << 18
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_INDEX_FORMS = (
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
)
_UNSATISFIED = re.compile(r"bytes \*/(\d+)")


class Client:
    """One thread's connection to servers. `ca` is a file of certificates to trust instead of the usual ones."""

    def __init__(self, *, ca: str | None = None, connect: float = 15.0, read: float = 60.0) -> None:
        import requests

        self._session = requests.Session()
        self._session.headers.update(
            # Compressed transfer would change the bytes that are hashed.
            {"User-Agent": f"ascendenv/{__version__}", "Accept": "*/*", "Accept-Encoding": "identity"}
        )
        self._ca = ca
        self._timeout = (connect, read)

    def close(self) -> None:
        """Give the connections back."""
        self._session.close()

    @contextmanager
    def ask(self, asked: Asked) -> Iterator[Answer]:
        """The answer to a question; raises Broken or Refused, while the blocks are read, too."""
        with _translated(asked.url, silent=True):
            response = self._follow(asked)
        try:
            yield _answer(response, asked)
        finally:
            response.close()

    def page(self, url: str) -> tuple[str, str, bytes]:
        """A page of a package index: its address in the end, its kind, its bytes; raises Broken or Refused."""
        with _translated(url, silent=True):
            response = self._follow(Asked(url), {"Accept": _INDEX_FORMS})
            with response:
                if response.status_code in _BUSY:
                    raise Broken(say("the server answered {status}", status=response.status_code))
                if response.status_code != 200:  # noqa: PLR2004
                    raise Refused(_no(response.status_code))
                return response.url, response.headers.get("Content-Type", ""), response.content

    def _follow(self, asked: Asked, headers: Mapping[str, str] | None = None) -> requests.Response:
        url = asked.url
        for _ in range(_LONGEST_CHAIN):
            response = self._session.get(
                url,
                headers=headers or _headers(asked),
                stream=True,
                # Followed by hand: each step is looked at before it is taken.
                allow_redirects=False,
                timeout=self._timeout,
                verify=self._ca,
            )
            target = response.headers.get("Location")
            if response.status_code not in _REDIRECTS or target is None:
                return response
            response.close()
            url = _next(url, target)
        raise Refused(say("it leads from one address to the next without end"))


@contextmanager
def _translated(url: str, *, silent: bool = False) -> Iterator[None]:
    """Turn what goes wrong inside into Broken or Refused; `silent` as long as nothing came from the server."""
    import requests
    from urllib3.exceptions import HTTPError

    try:
        yield
    except (
        requests.exceptions.InvalidURL,
        requests.exceptions.InvalidSchema,
        requests.exceptions.MissingSchema,
    ) as error:
        raise Refused(say("this is no address: {url}", url=shown(url))) from error
    except requests.exceptions.SSLError as error:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            raise Refused(
                say(
                    "its certificate is not trusted; a site's own authority is named with REQUESTS_CA_BUNDLE=/path/ca.pem"
                )
            ) from error
        raise Broken(say("the encrypted connection broke"), silent=silent) from error
    except (requests.exceptions.Timeout, TimeoutError) as error:
        raise Broken(say("the server did not answer in time"), silent=silent) from error
    except (requests.exceptions.RequestException, HTTPError, HTTPException, OSError) as error:
        words = say("the connection broke: {reason}", reason=_core(error))
        raise Broken(words, silent=silent) from error


def _headers(asked: Asked) -> dict[str, str]:
    headers = {"Referer": asked.referer} if asked.referer else {}
    if asked.start:
        headers["Range"] = f"bytes={asked.start}-"
        if asked.validator:
            headers["If-Range"] = asked.validator
    return headers


def _next(url: str, target: str) -> str:
    found = urljoin(url, target)
    scheme = urlsplit(found).scheme.lower()
    if _STRENGTH.get(scheme, 0) < _STRENGTH.get(urlsplit(url).scheme.lower(), 0):
        raise Refused(say("it leads to a weaker address: {url}", url=shown(found)))
    return found


def _answer(response: requests.Response, asked: Asked) -> Answer:
    status = response.status_code
    if status in _BUSY:
        wait = _seconds(response.headers.get("Retry-After", ""))
        raise Broken(say("the server answered {status}", status=status), wait=wait)
    if status == 416:  # noqa: PLR2004  (range not satisfiable: there is nothing beyond, or the file became shorter)
        match = _UNSATISFIED.fullmatch(response.headers.get("Content-Range", ""))
        if match is None or int(match.group(1)) != asked.start:
            raise Broken(say("the file became shorter on the server"), restart=True)
        return Answer(asked.start, asked.start, asked.validator, iter(()))
    if status == 206 and asked.start:  # noqa: PLR2004  (partial content)
        return _rest(response, asked)
    if status != 200:  # noqa: PLR2004
        raise Refused(_no(status))
    if response.headers.get("Content-Type", "").lower().startswith("text/html"):
        raise Refused(say("the server sent a web page instead of the file"))
    length = response.headers.get("Content-Length", "")
    return Answer(0, int(length) if length.isdecimal() else None, _validator(response), _blocks(response))


def _rest(response: requests.Response, asked: Asked) -> Answer:
    match = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if match is None or int(match.group(1)) != asked.start:
        raise Broken(say("the server sent another part than it was asked for"), restart=True)
    total = None if match.group(2) == "*" else int(match.group(2))
    return Answer(asked.start, total, _validator(response), _blocks(response))


def _no(status: int) -> Message:
    if status in (401, 403):
        return say("the server wants a login or forbids it ({status})", status=status)
    if status in (404, 410):
        return say("the file is not there ({status})", status=status)
    return say("the server answered {status}", status=status)


def _blocks(response: requests.Response) -> Iterator[bytes]:
    """The raw bytes as they arrive, so that a slow server is seen to be slow."""
    with _translated(response.url):
        while block := response.raw.read1(_BLOCK, decode_content=False):
            yield block


def _validator(response: requests.Response) -> str:
    tag = response.headers.get("ETag", "")
    # A weak tag names no bytes, and servers ignore it in If-Range.
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def _seconds(text: str) -> float | None:
    """How long `Retry-After` asks to wait: seconds, or a date."""
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _core(error: BaseException) -> str:
    """The innermost reason in few words; libraries wrap it several times."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "".join(one if one.isprintable() else "?" for one in str(text)[:200])
