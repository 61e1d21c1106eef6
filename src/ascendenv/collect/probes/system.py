"""The machine as the probes see it: every look is recorded as what was read, or why it could not be. Nothing is changed."""

import errno
import glob
import os
import resource
import stat
from typing import Any, Dict, List, Optional, Tuple

FILE_LIMIT = 256 * 1024
MOST_LINKS = 40
"""How many links are followed for one path before it counts as a loop (the kernel's own limit)."""
PROGRAM_FOLDERS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
"""Where programs are looked for beside PATH, which is short under sudo, ssh and cron."""

Record = Dict[str, Any]


class System:
    """The machine whose root folder is `root`; empty for the one we run on.

    `environ` holds the variables of the process that asks.
    """

    def __init__(self, root: str = "", environ: Optional[Dict[str, str]] = None) -> None:
        self.root = root.rstrip("/")
        self.environ = dict(os.environ) if environ is None else environ

    # --- files ---------------------------------------------------------------------------------------------------

    def at(self, path: str, follow: bool = True) -> str:
        """Where `path` of the machine lies for us; its links stay inside the root. OSError for a loop of links."""
        if not self.root:
            return path
        done: List[str] = []
        rest = [part for part in path.split("/") if part not in ("", ".")][::-1]
        links = 0
        while rest:
            part = rest.pop()
            if part == "..":
                done = done[:-1]
                continue
            here = os.path.join(self.root, *(done + [part]))
            if not os.path.islink(here) or not (rest or follow):
                done.append(part)
                continue
            links += 1
            if links > MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            target = os.readlink(here)
            done = [] if target.startswith("/") else done
            rest.extend([one for one in target.split("/") if one not in ("", ".")][::-1])
        return os.path.join(self.root, *done)

    def read(self, path: str, limit: int = FILE_LIMIT) -> Record:
        """`{"text", "modified"}` with at most the last `limit` bytes of the file, or `{"error": "Permission denied"}`."""
        try:
            data, size, modified = self._tail(path, limit)
        except OSError as error:
            return {"error": reason(error)}
        record: Record = {"text": data.decode("utf-8", "replace"), "modified": modified}
        if size > limit:
            record["cut"] = size - limit
        return record

    def _tail(self, path: str, limit: int) -> Tuple[bytes, int, int]:
        # A named pipe in the place of a file must not stop us.
        handle = os.open(self.at(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            status = os.fstat(stream.fileno())
            if status.st_size > limit:
                stream.seek(status.st_size - limit)
            return stream.read(limit) or b"", status.st_size, int(status.st_mtime)

    def text(self, path: str, limit: int = FILE_LIMIT) -> str:
        """The end of the file, empty where it cannot be read."""
        return str(self.read(path, limit).get("text", ""))

    def data(self, path: str, limit: int) -> bytes:
        """The last `limit` bytes of the file as they are, empty where it cannot be read."""
        try:
            return self._tail(path, limit)[0]
        except OSError:
            return b""

    def names(self, path: str) -> Record:
        """`{"names": [...]}` of the folder, sorted, or `{"error": ...}`."""
        try:
            return {"names": sorted(os.listdir(self.at(path)))}
        except OSError as error:
            return {"error": reason(error)}

    def glob(self, pattern: str) -> List[str]:
        """The paths that fit the pattern, sorted."""
        found = sorted(glob.glob(glob.escape(self.root) + pattern))
        return [path[len(self.root) :] for path in found]

    def exists(self, path: str) -> bool:
        """Whether something is there, links followed."""
        try:
            return os.path.exists(self.at(path))
        except OSError:
            return False

    def is_link(self, path: str) -> bool:
        """Whether the path is a link, whatever it leads to."""
        try:
            return os.path.islink(self.at(path, follow=False))
        except OSError:
            return False

    def is_folder(self, path: str) -> bool:
        """Whether the path is a folder, links followed."""
        try:
            return os.path.isdir(self.at(path))
        except OSError:
            return False

    def expand(self, path: str) -> str:
        """The path with `~` filled in from the asking process."""
        home = self.environ.get("HOME") or "/root"
        return home + path[1:] if path == "~" or path.startswith("~/") else path

    def look(self, path: str) -> Record:
        """Kind, mode, owner and, for a link, where it points and whether nothing is there."""
        record: Record = {}
        try:
            here = self.at(path, follow=False)
            if os.path.islink(here):
                record["link"] = os.readlink(here)
                record["broken"] = not self.exists(path)
            status = os.lstat(here) if record.get("broken") else os.stat(self.at(path))
        except OSError as error:
            return {"error": reason(error)}
        record["kind"] = stat.filemode(status.st_mode)[0]
        record["mode"] = stat.S_IMODE(status.st_mode)
        record["modified"] = int(status.st_mtime)
        record["owner"], record["group"] = owner(status.st_uid, status.st_gid)
        return record

    # --- who asks, and what the kernel tells ----------------------------------------------------------------------

    def user(self) -> Record:
        """`{"uid", "user", "groups"}` of this process; the name is None where the uid has no passwd entry."""
        uid = os.geteuid()
        groups = [group_name(gid) or str(gid) for gid in os.getgroups()]
        return {"uid": uid, "user": user_name(uid), "groups": groups}

    def uname(self) -> Record:
        """`{"system", "kernel", "arch", "host"}`."""
        name = os.uname()
        return {"system": name.sysname, "kernel": name.release, "arch": name.machine, "host": name.nodename}

    def may_open(self, path: str) -> str:
        """`ok`, or the name of the error with which the kernel refuses to open the node; the driver is not asked.

        A davinci node belongs to the first container that opens it, so a look must not open one that it could have.
        """
        try:
            here = self.at(path)
        except OSError as error:
            return error_name(error)
        if os.access(here, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            return "ok"
        return try_open(here)

    def open_shared(self, path: str) -> str:
        """`ok`, or the name of the error with which a node that all share cannot be opened."""
        try:
            return try_open(self.at(path))
        except OSError as error:
            return error_name(error)

    def space(self, path: str) -> Optional[Record]:
        """Total and free bytes, and whether it can be written at all; None where the path is not there."""
        try:
            status = os.statvfs(self.at(path))
        except OSError:
            return None
        return {
            "total": status.f_blocks * status.f_frsize,
            "free": status.f_bavail * status.f_frsize,
            "free_files": status.f_favail,
            "read_only": bool(status.f_flag & os.ST_RDONLY),
        }

    def limit(self, name: str) -> Optional[int]:
        """The soft limit of this process, -1 for unlimited, None where this system has no such limit."""
        kind = getattr(resource, name, None)
        return None if kind is None else int(resource.getrlimit(kind)[0])

    def program(self, name: str) -> Optional[str]:
        """The path of the program as a shell of the asking process, or one with a whole PATH, would find it."""
        if "/" in name:
            return name if self.exists(name) and not self.is_folder(name) else None
        folders = [folder for folder in self.environ.get("PATH", "").split(":") if folder]
        for folder in dict.fromkeys(folders + list(PROGRAM_FOLDERS)):
            path = os.path.join(folder, name)
            if self.exists(path) and not self.is_folder(path) and os.access(self.at(path), os.X_OK):
                return path
        return None


def owner(uid: int, gid: int) -> Tuple[str, str]:
    """Names of a file's user and group, numbers where they have none."""
    return user_name(uid) or str(uid), group_name(gid) or str(gid)


def try_open(here: str) -> str:
    """`ok`, or the name of the error with which the node cannot be opened; nothing is read or written."""
    try:
        os.close(os.open(here, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError as error:
        return error_name(error)
    return "ok"


def error_name(error: OSError) -> str:
    """`EACCES` and the like."""
    return errno.errorcode.get(error.errno or 0, str(error.errno))


def reason(error: OSError) -> str:
    """The operating system's words for the error."""
    return error.strerror or str(error)


def user_name(uid: int) -> Optional[str]:
    """The name of the user, None where the uid has no passwd entry."""
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return None


def group_name(gid: int) -> Optional[str]:
    """The name of the group, None where it has none."""
    try:
        import grp

        return grp.getgrgid(gid).gr_name
    except (ImportError, KeyError):
        return None
