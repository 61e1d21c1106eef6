"""Logs as they come from jobs on Ascend machines: lines of the host log, of training and of serving, with few errors."""

from __future__ import annotations

import random

__all__ = ["ERROR_LINE", "noisy_log"]

_HOST = (
    "[INFO] RUNTIME({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [stream.cc:{n}]{pid} AllocLogicCq: stream_id={k}, logicCqId={k}.\n",
    "[INFO] ASCENDCL({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [memory.cpp:{n}]{pid} aclrtMallocWithCfg: start, size={us}, policy=0\n",
    "[DEBUG] HCCL({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [task_loader.cc:{n}] [{pid}][TaskLoader]rank[{k}] wait ret = 0\n",
    "[INFO] GE({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [graph_manager.cc:{n}]{pid} OptimizeSubgraph:graph {k} has been optimized\n",
    "[WARNING] TDT({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [client_manager.cpp:{n}][tid:{pid}] tsd client not closed, deviceId[{k}]\n",
    "[INFO] DRV({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [ascend][curpid: {pid}, {pid}][drv][devmm][devmm_svm_mmap {n}]map success. (addr=0x{us:x}; size={us})\n",
    "[INFO] RUNTIME({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [npu_driver.cc:{n}]{pid} DevMemAlloc:driver alloc ok, device_id={k}, size={us}, driver type=0\n",
    "[INFO] TEFUSION({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [te_fusion_api.cc:{n}]{pid} Op kernel_meta/te_matmul_{us:x}.json checksum ok, compile cache hit, not support dynamic\n",
    "[WARNING] PROFILING({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [prof.cpp:{n}] >>> (tid:{pid}) device [{k}] aclnnMatmulGetWorkspaceSize ret=0, error count 0\n",
    "[EVENT] HCCP({pid},python3):2025-03-06-01:09:{s:02d}.{us:06d} [ra_host.c:{n}]tid:{pid},ra_socket_init({n}) : socket init:mode=0 phy_id={k} family=2 ip=192.0.2.{k}\n",
)
_JOB = (
    "[rank{k}]: iteration {n}/ 20000 | consumed samples: {us} | elapsed time per iteration (ms): {us} | lm loss: 2.{us:06d}E+00 | grad norm: 0.{n}\n",
    "(EngineCore_DP0 pid={pid}) INFO 03-30 03:00:{s:02d} [core.py:{n}] Avg prompt throughput: {k}.0 tokens/s, GPU KV cache usage: {s}%\n",
    "INFO 06-17 01:14:{s:02d} [__init__.py:{n}] Loading weights took {k}.{s} seconds, block table 0x{us:08x}\n",
    "[2025-03-06 01:09:{s:02d},{n}] [INFO] [engine.py:{n}:train] rank {k}: npu memory allocated {k}.{s} GB, reserved {k}.{n} GB, torch_npu driver build ok\n",
    "WARNING 06-17 01:14:{s:02d} [config.py:{n}] model does not support graph mode for device npu:{k}, falling back to eager; visible devices 0,1,2,3\n",
    'INFO:     192.0.2.{k}:{n} - "POST /v1/completions HTTP/1.1" 200 OK host memory {us} image vllm-ascend\n',
    "100%|##########| {n}/{n} [00:{s:02d}<00:00, {k}.{s}it/s] checkpoint shard {k}\n",
    '{{"level": "info", "ts": 17411{us}, "msg": "health ok", "code": 0, "pod": "train-{k}", "elapsed": {n}}}\n',
)
ERROR_LINE = (
    "[ERROR] RUNTIME(618,python3):2025-03-06-01:09:07.262.154 [driver.cc:65]618 GetDeviceCount:"
    "Call drvGetDevNum, drvRetCode=87.\n"
)


def noisy_log(size: int, *, errors: int = 0, seed: int = 7) -> bytes:
    """About `size` bytes of a log that mean nothing, with `errors` lines in it that do."""
    rng = random.Random(seed)
    block = "".join(_line(rng) for _ in range(20_000)).encode()
    whole = block * (size // len(block) + 1)
    step = size // (errors + 1)
    cuts = [whole.find(b"\n", step * number) + 1 for number in range(1, errors + 1)]
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
    return ERROR_LINE.encode().join(parts)


def _line(rng: random.Random) -> str:
    return rng.choice(_HOST + _JOB).format(
        pid=rng.randrange(1000, 99999),
        s=rng.randrange(60),
        us=rng.randrange(100000, 999999),
        n=rng.randrange(10, 3000),
        k=rng.randrange(64),
    )
