"""One file over a real server that breaks in every way that servers break in."""

from __future__ import annotations

import gzip
import random
import time
from email.utils import formatdate
from hashlib import sha256
from threading import Event
from typing import TYPE_CHECKING

import pytest
from tests.fetch.builders import QUICK, Heard, goal, names_below
from tests.fetch.server import Reply

from ascendenv.fetch.download import Downloader, NotFetched
from ascendenv.fetch.servers import Patience, Servers
from ascendenv.fetch.store import Store
from ascendenv.fetch.transfer import Stopped

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fetch.server import Server

    from ascendenv.fetch.goal import Goal

BODY = random.Random(1).randbytes(300_000)
OTHER = random.Random(2).randbytes(300_000)
SHA = sha256(BODY).hexdigest()


def bring(
    root: Path,
    wanted: Goal,
    *,
    patience: Patience = QUICK,
    heard: Heard | None = None,
    ca: Path | None = None,
) -> str:
    heard = heard or Heard()
    stop = heard.stop or Event()
    store = Store(root)
    downloader = Downloader(store, Servers(stop.wait), heard, stop, patience, str(ca) if ca else None)
    try:
        return downloader.bring(wanted)
    finally:
        downloader.close()


def content(root: Path, digest: str) -> bytes:
    return Store(root).path_of(digest).read_bytes()


@pytest.mark.parametrize(
    "replies",
    [
        pytest.param([Reply(BODY)], id="a good server"),
        pytest.param([Reply(BODY, chunked=True)], id="no length"),
        pytest.param([Reply(BODY, ranges=False)], id="no ranges"),
        pytest.param([Reply(BODY, cut=100_000), Reply(BODY)], id="breaks once"),
        pytest.param([Reply(BODY, cut=0), Reply(BODY)], id="breaks before the first byte"),
        pytest.param([Reply(BODY, cut=20_000)] * 12 + [Reply(BODY)], id="breaks often, goes on each time"),
        pytest.param(
            [Reply(BODY, cut=100_000, ranges=False), Reply(BODY, ranges=False)], id="breaks, no ranges"
        ),
        pytest.param([Reply(BODY, cut=100_000, chunked=True), Reply(BODY)], id="breaks in a chunk"),
        pytest.param(
            [Reply(BODY, cut=9999, headers={"ETag": '"1"'}), Reply(BODY, headers={"ETag": '"1"'})], id="tag"
        ),
        pytest.param([Reply(BODY, length=400_000), Reply(BODY)], id="promises more than it has, once"),
        pytest.param(
            [Reply(BODY, cut=100_000), Reply(BODY, shift=5), Reply(BODY)], id="another part than asked for"
        ),
        pytest.param([Reply(b"", status=500), Reply(b"", status=502), Reply(BODY)], id="fails twice"),
        pytest.param([Reply(b"", status=429, headers={"Retry-After": "0"}), Reply(BODY)], id="busy"),
        pytest.param([Reply(OTHER, cut=100_000), Reply(BODY)], id="content changed between two tries"),
        pytest.param([Reply(BODY, block=3000, pause=0.01)], id="slow"),
    ],
)
def test_the_file_arrives(server: Server, tmp_path: Path, replies: list[Reply]) -> None:
    # A length that is wrong only once is a proxy's fault; here the size of the lock is left out so that it is asked again.
    size = None if replies[0].length else len(BODY)

    found = bring(tmp_path, goal(BODY, server.serve("/a.run", *replies), size=size))

    assert found == SHA
    assert content(tmp_path, SHA) == BODY
    assert names_below(tmp_path) == {f"objects/sha256/{SHA[:2]}/{SHA}"}


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        pytest.param([Reply(b"no", status=404)], "the file is not there (404)", id="missing"),
        pytest.param([Reply(b"no", status=403)], "wants a login or forbids it (403)", id="forbidden"),
        pytest.param([Reply(b"", status=418)], "the server answered 418", id="odd status"),
        pytest.param([Reply(b"", status=503)], "the server answered 503", id="never ready"),
        pytest.param([Reply(OTHER)], "the lock says " + SHA, id="wrong bytes"),
        pytest.param([Reply(BODY[:-1] + b"!")], "its sha256 is", id="one wrong byte"),
        pytest.param(
            [Reply(BODY + b"more")], "it has 300004 bytes there, the lock says 300000", id="too long"
        ),
        pytest.param(
            [Reply(BODY + b"more", chunked=True)], "more than the 300000 bytes", id="too long, unannounced"
        ),
        pytest.param([Reply(BODY[:-9])], "it has 299991 bytes there", id="too short"),
        pytest.param([Reply(BODY[:-9], chunked=True)], "299991 bytes came", id="too short, unannounced"),
        pytest.param(
            [Reply(BODY, cut=50_000, ranges=False)], "connection", id="always breaks at the same place"
        ),
        pytest.param(
            [Reply(b"<html>", headers={"Content-Type": "text/html"})], "a web page instead", id="portal"
        ),
        pytest.param([Reply(b"", status=302, headers={"Location": "/a.run"})], "without end", id="loop"),
        pytest.param(
            [Reply(b"", status=302, headers={"Location": "file:///etc/passwd"})], "weaker", id="to a file"
        ),
        pytest.param([Reply(b"", status=302, headers={"Location": "ftp://x/a"})], "weaker", id="to ftp"),
        pytest.param(
            [Reply(b"", status=429, headers={"Retry-After": "9000"})],
            "asks to wait 9000 s",
            id="too long a wait",
        ),
        pytest.param([Reply(BODY, block=100, pause=0.05)], "next to nothing", id="drips"),
    ],
)
def test_it_is_said_why_it_did_not(server: Server, tmp_path: Path, replies: list[Reply], reason: str) -> None:
    with pytest.raises(NotFetched) as caught:
        bring(tmp_path, goal(BODY, server.serve("/a.run", *replies)))

    assert reason in str(caught.value)
    assert not list(Store(tmp_path).objects())


def test_it_goes_on_where_an_earlier_run_stopped(server: Server, tmp_path: Path) -> None:
    url = server.serve("/a.run", Reply(BODY, headers={"ETag": '"1"'}))
    stop = Event()

    with pytest.raises(Stopped):
        bring(tmp_path, goal(BODY, url), heard=Heard(stop=stop, stop_at=50_000))
    begun = Store(tmp_path).begun(SHA, "")
    bring(tmp_path, goal(BODY, url))

    assert begun >= 50_000
    second = server.asked("/a.run")[1].headers
    assert second["Range"] == f"bytes={begun}-"
    assert second["If-Range"] == '"1"'


@pytest.mark.parametrize(
    ("headers", "if_range"),
    [
        ({"ETag": '"x"', "Last-Modified": "Sun, 29 Nov 2026 10:00:00 GMT"}, '"x"'),
        (
            {"ETag": 'W/"x"', "Last-Modified": "Sun, 29 Nov 2026 10:00:00 GMT"},
            "Sun, 29 Nov 2026 10:00:00 GMT",
        ),
        ({}, None),
    ],
)
def test_only_what_names_bytes_goes_into_if_range(
    server: Server, tmp_path: Path, headers: dict[str, str], if_range: str | None
) -> None:
    url = server.serve("/a.run", Reply(BODY, cut=1000, headers=headers), Reply(BODY, headers=headers))

    bring(tmp_path, goal(BODY, url))

    assert server.asked("/a.run")[1].headers.get("If-Range") == if_range


def test_without_a_hash_halves_of_two_states_are_never_put_together(server: Server, tmp_path: Path) -> None:
    old, new = Reply(OTHER, cut=100_000, headers={"ETag": '"old"'}), Reply(BODY, headers={"ETag": '"new"'})

    found = bring(tmp_path, goal(None, server.serve("/a.run", old, new)))

    assert content(tmp_path, found) == BODY
    assert server.asked("/a.run")[1].headers["If-Range"] == '"old"'


def test_without_a_hash_and_a_tag_it_begins_anew(server: Server, tmp_path: Path) -> None:
    found = bring(tmp_path, goal(None, server.serve("/a.run", Reply(OTHER, cut=100_000), Reply(BODY))))

    assert content(tmp_path, found) == BODY
    assert "Range" not in server.asked("/a.run")[1].headers


def test_a_mirror_goes_on_with_what_another_one_began(server: Server, tmp_path: Path) -> None:
    first = server.serve("/first", Reply(BODY, cut=120_000, headers={"ETag": '"1"'}), Reply(b"", status=404))
    second = server.serve("/second", Reply(BODY, headers={"ETag": '"2"'}))

    bring(tmp_path, goal(BODY, first, second))

    (asked,) = server.asked("/second")
    assert asked.headers["Range"] == "bytes=120000-"
    assert "If-Range" not in asked.headers


def test_the_next_address_is_asked_when_one_has_wrong_bytes(server: Server, tmp_path: Path) -> None:
    wrong, right = server.serve("/wrong", Reply(OTHER)), server.serve("/right", Reply(BODY))

    assert bring(tmp_path, goal(BODY, wrong, right)) == SHA


def test_every_address_is_named_with_its_reason(server: Server, tmp_path: Path) -> None:
    urls = server.serve("/x?token=secret"), server.url("/y").replace("://", "://user:secret@")

    with pytest.raises(NotFetched) as caught:
        bring(tmp_path, goal(BODY, *urls))

    text = str(caught.value)
    assert server.url("/x") in text
    assert server.url("/y") in text
    assert "secret" not in text


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("as_date", [False, True])
def test_a_wait_that_the_server_asks_for_is_kept(
    server: Server, tmp_path: Path, status: int, as_date: bool
) -> None:
    after = formatdate(time.time() + 1.9, usegmt=True) if as_date else "1"
    url = server.serve("/a.run", Reply(b"", status=status, headers={"Retry-After": after}), Reply(BODY))
    since = time.monotonic()

    bring(tmp_path, goal(BODY, url))

    assert time.monotonic() - since > 0.8


def test_a_server_that_asks_to_wait_again_and_again_is_given_up_in_time(
    server: Server, tmp_path: Path
) -> None:
    url = server.serve("/a.run", Reply(b"", status=503, headers={"Retry-After": "1"}))

    with pytest.raises(NotFetched, match="asks to wait 1 s"):
        bring(tmp_path, goal(BODY, url))

    assert len(server.requests) == 3


def test_a_mirror_with_another_file_takes_nothing_away(server: Server, tmp_path: Path) -> None:
    first = server.serve("/first", Reply(BODY, cut=120_000), Reply(b"", status=404))
    other, second = (
        server.serve("/other", Reply(b"short", ranges=False)),
        server.serve("/second", Reply(BODY)),
    )

    bring(tmp_path, goal(BODY, first, other, second))

    assert server.asked("/second")[0].headers["Range"] == "bytes=120000-"


def test_the_vendors_referer_is_sent(server: Server, tmp_path: Path) -> None:
    url = server.serve("/a.run", Reply(b"", status=302, headers={"Location": "/b.run"}))
    server.serve("/b.run", Reply(BODY))

    bring(tmp_path, goal(BODY, url, referer="https://vendor.example/"))

    assert [one.headers["Referer"] for one in server.requests] == ["https://vendor.example/"] * 2


def test_bytes_are_asked_for_as_they_are(server: Server, tmp_path: Path) -> None:
    packed = gzip.compress(BODY)
    url = server.serve("/a.tgz", Reply(packed, headers={"Content-Encoding": "gzip"}))

    assert bring(tmp_path, goal(packed, url)) == sha256(packed).hexdigest()
    assert server.requests[0].headers["Accept-Encoding"] == "identity"


def test_a_file_address_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a file.run"
    source.write_bytes(BODY)

    assert bring(tmp_path / "store", goal(BODY, source.as_uri())) == SHA
    with pytest.raises(NotFetched, match="cannot be read"):
        bring(tmp_path / "store", goal(OTHER, (tmp_path / "absent").as_uri()))


def test_certificates_are_checked(secure: Server, certificate: Path, tmp_path: Path) -> None:
    url = secure.serve("/a.run", Reply(BODY))

    with pytest.raises(NotFetched, match="its certificate is not trusted"):
        bring(tmp_path, goal(BODY, url))
    assert bring(tmp_path, goal(BODY, url), ca=certificate) == SHA


def test_a_sites_own_authority_is_named_by_the_environment(
    secure: Server, certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))

    assert bring(tmp_path, goal(BODY, secure.serve("/a.run", Reply(BODY)))) == SHA


def test_passwords_are_used_and_not_written_down(server: Server, tmp_path: Path) -> None:
    url = server.serve("/a.run", Reply(BODY)).replace("://", "://user:secret@")
    stop = Event()

    with pytest.raises(Stopped):
        bring(tmp_path, goal(BODY, url), heard=Heard(stop=stop, stop_at=1000))

    assert server.requests[0].headers["Authorization"].startswith("Basic ")
    assert not [path for path in tmp_path.rglob("*.json") if b"secret" in path.read_bytes()]
    assert list(tmp_path.rglob("*.json"))


def test_a_redirect_to_a_weaker_scheme_is_refused(
    secure: Server, server: Server, certificate: Path, tmp_path: Path
) -> None:
    plain = server.serve("/a.run", Reply(BODY))
    url = secure.serve("/a.run", Reply(b"", status=301, headers={"Location": plain}))

    with pytest.raises(NotFetched, match="it leads to a weaker address"):
        bring(tmp_path, goal(BODY, url), ca=certificate)
    assert not server.requests


def test_a_redirect_to_a_stronger_scheme_is_followed(
    secure: Server, server: Server, certificate: Path, tmp_path: Path
) -> None:
    url = server.serve(
        "/a.run", Reply(b"", status=308, headers={"Location": secure.serve("/b.run", Reply(BODY))})
    )

    assert bring(tmp_path, goal(BODY, url), ca=certificate) == SHA


def test_a_server_that_does_not_answer_is_asked_once_more_only(tmp_path: Path, server: Server) -> None:
    dead = "http://localhost:9"
    stop = Event()
    servers = Servers(stop.wait)
    heard = Heard()
    downloader = Downloader(Store(tmp_path), servers, heard, stop, QUICK)
    good = server.serve("/a.run", Reply(BODY)), server.serve("/b.run", Reply(OTHER))

    downloader.bring(goal(BODY, f"{dead}/a.run", good[0]))
    first = len(heard.notes)
    downloader.bring(goal(OTHER, f"{dead}/b.run", good[1], file="b.run"))

    assert first == QUICK.tries - 1
    assert len(heard.notes) == first
    downloader.close()


def test_progress_tells_what_is_here_already(server: Server, tmp_path: Path) -> None:
    heard = Heard()
    url = server.serve("/a.run", Reply(BODY, cut=100_000), Reply(BODY))

    bring(tmp_path, goal(BODY, url), heard=heard)

    assert heard.begun == [("a.run", 300_000, 0)]
    assert heard.lengths[-1] == 300_000
    assert heard.ended == ["a.run"]
    assert len(heard.notes) == 1
