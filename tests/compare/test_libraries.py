"""Libraries by name: where an environment lies makes no difference, what lies in it does."""

from __future__ import annotations

import pytest

from ascendenv.compare.libraries import libraries_by_name


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], {}),
        (
            ["/usr/local/Ascend/cann-8.5.0/lib64/libascendcl.so"],
            {"libascendcl.so": "/usr/local/Ascend/cann-8.5.0/lib64/libascendcl.so"},
        ),
        (
            ["/home/a/venv/lib/python3.11/site-packages/torch/lib/libc10.so"],
            {"libc10.so": ".../site-packages/torch/lib/libc10.so"},
        ),
        (
            ["/opt/py/lib/python3.11/lib-dynload/_json.cpython-311-aarch64-linux-gnu.so"],
            {
                "_json.cpython-311-aarch64-linux-gnu.so": ".../lib/python3.11/lib-dynload/_json.cpython-311-aarch64-linux-gnu.so"
            },
        ),
        (["/lib/libstdc++.so.6.0.30"], {"libstdc++.so": "/lib/libstdc++.so.6.0.30"}),
        (["/b/libhccl.so", "/a/libhccl.so"], {"libhccl.so": "/a/libhccl.so + /b/libhccl.so"}),
        (["libbare.so"], {"libbare.so": "/libbare.so"}),
    ],
)
def test_names_and_places(paths: list[str], expected: dict[str, str]) -> None:
    assert libraries_by_name(paths) == expected
