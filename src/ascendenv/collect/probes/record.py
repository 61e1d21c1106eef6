"""How one look at the machine is recorded: what was read, or why it could not be."""

import errno
import os
import stat
import subprocess
import time
from typing import Any, Dict, List, Optional, Sequence

FILE_LIMIT = 256 * 1024
OUTPUT_LIMIT = 512 * 1024


def read_file(path: str, limit: int = FILE_LIMIT) -> Dict[str, Any]:
    """`{"text": ...}` with at most the last `limit` bytes of the file, or `{"error": "Permission denied"}`."""
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > limit:
                stream.seek(size - limit)
            data = stream.read(limit)
            modified = os.fstat(stream.fileno()).st_mtime
    except OSError as error:
        return {"error": reason(error)}
    record: Dict[str, Any] = {"text": data.decode("utf-8", "replace"), "modified": int(modified)}
    if size > limit:
        record["cut"] = size - limit
    return record


def list_folder(path: str) -> Dict[str, Any]:
    """`{"names": [...]}` of the folder, sorted, or `{"error": ...}`."""
    try:
        return {"names": sorted(os.listdir(path))}
    except OSError as error:
        return {"error": reason(error)}


def look_at(path: str, open_it: bool = False) -> Dict[str, Any]:
    """Kind, mode, owner and, for a link, where it points; with `open_it` also whether this user can open the node."""
    try:
        link = os.readlink(path) if os.path.islink(path) else None
        status = os.lstat(path) if link is not None and not os.path.exists(path) else os.stat(path)
    except OSError as error:
        return {"error": reason(error)}
    record: Dict[str, Any] = {
        "kind": stat.filemode(status.st_mode)[0],
        "mode": stat.S_IMODE(status.st_mode),
        "uid": status.st_uid,
        "gid": status.st_gid,
        "owner": user_name(status.st_uid),
        "group": group_name(status.st_gid),
        "modified": int(status.st_mtime),
    }
    if link is not None:
        record["link"] = link
        record["broken"] = not os.path.exists(path)
    if open_it:
        record["open"] = try_open(path)
    return record


def try_open(path: str) -> str:
    """`ok`, or why the node cannot be opened for reading and writing; nothing is read or written."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return "ok"


def run(argv: Sequence[str], seconds: float = 5.0, env: Optional[Dict[str, str]] = None) -> Dict[str, Any]:
    """`{"argv", "rc", "stdout", "stderr", "seconds"}` of a command, or `{"argv", "error": "not found" | "timeout"}`.

    A command that hangs (npu-smi does on a sick card) is killed with its children.
    """
    record: Dict[str, Any] = {"argv": list(argv)}
    started = time.time()
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        record["error"] = "not found" if error.errno == errno.ENOENT else reason(error)
        return record
    try:
        output, errors = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill_group(child)
        record["error"] = "timeout"
        record["seconds"] = seconds
        return record
    record["rc"] = child.returncode
    record["stdout"] = shorten(output)
    record["stderr"] = shorten(errors)
    record["seconds"] = round(time.time() - started, 3)
    return record


def kill_group(child: "subprocess.Popen[bytes]") -> None:
    """Kill the child and all that it started; a process stuck in the kernel is left behind."""
    try:
        os.killpg(child.pid, 9)
    except OSError:
        child.kill()
    try:
        child.communicate(timeout=0.5)
    except subprocess.TimeoutExpired:
        return


def shorten(output: bytes) -> str:
    """The output as text, its middle left out where it is very long."""
    if len(output) > OUTPUT_LIMIT:
        half = OUTPUT_LIMIT // 2
        output = output[:half] + b"\n[...]\n" + output[-half:]
    return output.decode("utf-8", "replace")


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


def existing(paths: Sequence[str]) -> List[str]:
    """Those of `paths` that exist, links that point to nothing included."""
    return [path for path in paths if os.path.lexists(path)]
