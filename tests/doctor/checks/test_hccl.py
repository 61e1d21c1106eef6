"""The checks of collective communication: what is named first, what is only its consequence, where they stay silent."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.hccl.communicator_not_created import CommunicatorNotCreated
from ascendenv.doctor.checks.hccl.connect_timeout import ConnectTimeout
from ascendenv.doctor.checks.hccl.invalid_variable import InvalidVariable
from ascendenv.doctor.checks.hccl.link_down import LinkDown
from ascendenv.doctor.checks.hccl.missing_rank import MissingRank
from ascendenv.doctor.checks.hccl.rank_table import RankTable
from ascendenv.doctor.checks.hccl.tls_mismatch import TlsMismatch
from ascendenv.doctor.finding import Confidence, Severity, Skip
from ascendenv.facts.model import NpuPort

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding


def found(check: type[Check], log: str | None = None, **facts: Any) -> list[Finding]:
    outcome = run_check(check, log=log, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


STAMP = "[ERROR] HCCL(4711,python3):2026-02-03-04:05:06.700.800"
PEER = "1. Check the rank service processes with other errors or no errors in the cluster."
ROW = "[18744]   |  192.0.2.{0}({0})   |  16666  |   192.0.2.{1}({1})   |  3234403008  |  client  | time out |   {2}  | LinkInfo"
ADVICE = (
    "the connection failure between this device and target device may be due to the following reasons:\n"
    "5. The TLS switch is inconsistent, or the TLS certificate expires.\n"
    "(For example, run the 'hccn_tool -i $devid -tls -g' command to check the TLS status of each NPU)."
)

FIRST = [
    # --- the network card of the host
    ("name that is not there", f"{STAMP} [sal.cc:501] [9][InitGroupStage][EnvConfig]set ifname to [ens9] by HCCL_SOCKET_IFNAME, but not found in the environment, ifnames in the environment is as follows\n{STAMP} get host ip fail by socket Ifname. name[lo] ip[127.0.0.1%lo]\n{STAMP} get host ip fail by socket Ifname. name[bond0] ip[192.0.2.2%bond0]", "hccl-ifname-wrong"),
    ("older words", "[Get][LocalServerId]get host ip fail by socket Ifname. name[docker0] ip[172.17.0.1]", "hccl-ifname-wrong"),
    ("newest words", 'Env config "HCCL_SOCKET_IFNAME" is [eth9] which is not found in the nic list', "hccl-ifname-wrong"),
    ("address of no card", "[Find][LocalHostIP]ip [192.0.2.77] of [HCCL_IF_IP] is not found in the nic list.", "hccl-ifname-wrong"),
    ("as EI0001", "EI0001: [PID: 8] Value eth1 for environment variable HCCL_SOCKET_IFNAME is invalid. Expected value: a valid network interface name from the available interfaces.", "hccl-ifname-wrong"),
    ("gloo", "[rank2]: RuntimeError: [enforce fail at ../third_party/gloo/gloo/transport/tcp/device.cc:84] ifa != nullptr. Unable to find address for: enp189s0f0", "hccl-ifname-wrong"),
    ("gloo in a ray worker", "(RayWorkerWrapper pid=11394, ip=192.0.2.4) ERROR 06-12 09:47:56 [worker_base.py:620] RuntimeError: Unable to find address for: bond4", "hccl-ifname-wrong"),
    ("gloo without a card", "RuntimeError: makeDeviceForInterface(): unsupported gloo device", "hccl-ifname-wrong"),
    ("host name unknown", "[rank8]:[W ProcessGroupGloo.cpp:721] Warning: Unable to resolve hostname to a (local) address. Using the loopback address as fallback.\n[rank8]:[E ProcessGroupGloo.cpp:144] Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error", "hccl-ifname-wrong"),
    ("return value", "RuntimeError: createHCCLComm HCCL function error: HcclGetRootInfo(&hcclID), error code is 6", "hccl-ifname-wrong"),
    ("reporter in Chinese", "容器里网卡eth0不存在，HCCL 初始化失败", "hccl-ifname-wrong"),
    # --- variables
    ("out of range", "Config_Error_Invalid_Environment_Variable(EI0001): Value 60 for environment variable HCCL_CONNECT_TIMEOUT is invalid. Expected value : range[120, 7200].", "hccl-env-invalid"),
    ("words of CANN 8", "EI0001: 2024-04-24-06:30:52.388.386 Environment variable [HCCL_ALGO] is invalid. Reason: expect: levelX:algo1;levelY:algo2.", "hccl-env-invalid"),
    ("only the log line", f"{STAMP} [externalinput.cc:169] [9][InitGroupStage][EnvConfig]errNo[0x0000000005000001] In init env variable param, parse HCCL_BUFFSIZE failed. errno[1]", "hccl-env-invalid"),
    ("both switches", "HCCL_INTRA_PCIE_ENABLE and HCCL_INTRA_ROCE_ENABLE cannot be both configured to 1", "hccl-env-invalid"),
    ("whitelist without file", "HCCL_WHITELIST_DISABLE is [0] but HCCL_WHITELIST_FILE is not set", "hccl-env-invalid"),
    ("bare code", "RuntimeError: HcclCommInitRootInfo failed\nEI0001: Inner", "hccl-env-invalid"),
    ("buffer too small", "EZ9999: Inner Error!\nEZ9999[PID: 17833] 2025-12-23-07:36:19.237.396 (EZ9999):  HCCL_BUFFSIZE is too SMALL, maxBs = 256, h = 7168, NEEDED_HCCL_BUFFSIZE(((maxBs * x)) * 2) = 1024MB, HCCL_BUFFSIZE=200MB.", "hccl-env-invalid"),
    # --- rank table
    ("no such file", f"{STAMP} [param_check.cc:66] [9][InitGroupStage][RanktableConfig]errNo[0x0000000005010001] path /job/hccl_8p.json is not a valid real path", "hccl-ranktable-invalid"),
    ("no JSON", "[Read][File]errNo[0x0000000005010001] load file[/job/rank_table_8p.json] to json fail. please check json file format!", "hccl-ranktable-invalid"),
    ("bad address in it", "EI0004: 2024-04-24-06:31:33.915.634 The ranktable or rank is invalid, Reason:[The ip in ranktable is not a valid ip address]. Please check the configured ranktable.", "hccl-ranktable-invalid"),
    ("MindSpore", "RuntimeError: Ascend collective communication initialization failed.\nEI0004: The ranktable is invalid,Reason:[Use a rank ID that exceeds the rank size in the ranktable.].", "hccl-ranktable-invalid"),
    ("field missing", f"{STAMP} [Get][JsonArrayMemberProperty]errNo[0x0000000005010001] json object has no property called super_pod_id", "hccl-ranktable-invalid"),
    ("missing with a code", "Config_Error_Ranktable(EI0017): Config server_list is missing in the ranktable file.", "hccl-ranktable-invalid"),
    ("wrong version on 950", "Config_Error_Ranktable(EI0014): Value 1.0 for ranktable variable version is invalid. Expected value: 2.0.", "hccl-ranktable-invalid"),
    ("variable of a connector", "KeyError: 'DISAGGREGATED_PREFILL_RANK_TABLE_PATH'", "hccl-ranktable-invalid"),
    ("newest words of the table", "File_Operation_Error_Parse(EI0004): Failed to parse the ranktable file /user/hccl.json. Reason: permission denied", "hccl-ranktable-invalid"),
    # --- addresses of device ports
    ("differs from the table", "[check][ip]failed, ret(-16) the IP address(192.0.2.36) in the ranktable is inconsistent with the IP(192.0.2.85)address of the network adapter, please make sure they're consistent. num(1)", "hccl-device-ip-wrong"),
    ("without addresses", "[InitGroupStage][RanktableCheck]the IP address in the ranktable is inconsistent with the IP address of the network adapter.", "hccl-device-ip-wrong"),
    ("family", "EI0001: Environment variable [RankIpFamily] is invalid. Reason: rank[3] device ip family[10] is not same with others[2].", "hccl-device-ip-wrong"),
    ("family in newest words", "Config_Error_Invalid_Environment_Variable(EI0001): Value 2 for environment variable RankIpFamily is invalid. Expected value: 10.", "hccl-device-ip-wrong"),
    ("bare EJ0004", "EJ0004: [PID: 1609] 2023-10-19-12:33:13.313.594 Check ip fail. Reason: unknown", "hccl-device-ip-wrong"),
    ("same address on two nodes", "EI0015: Failed to collect cluster information of the communicator based on rootInfo detection. Reason: The device IP address 192.0.2.8 of rank 0 on node 198.51.100.1 is the same as the device IP address 192.0.2.8 of rank 8 on node 198.51.100.2.", "hccl-device-ip-wrong"),
    ("no card has it", "[ERROR] HCCP(9,python):2023-10-17 [rs_socket.c:671]tid:9,rs_socket_listen_bind_listen(671) : bind fail! family:2, IP:192.0.2.9, port:16666, sock:25, ret:0xffffffff, error:99, Possible Cause: the IP address and port have been bound already", "hccl-device-ip-wrong"),
    ("no card of the host has it", "[ERROR] HCCP(9,python):2023-10-17 [rs_socket.c:671] : bind fail! family:10, IP:fe80::ada6, port:60000, sock:25, ret:0xffffffff, error:99, Possible Cause: the IP address and port have been bound already", "hccl-ifname-wrong"),
    # --- device ports down
    ("EJ0002", "(EngineCore_DP0 pid=1) RuntimeError: EJ0002: [PID: 3] 2025-07-15-12:45:31.202.787 The network port is down.Suggest: check", "hccl-link-down"),
    ("errno 67", "[ERROR] HCCP(46430,alltoallv_test):2023-09-21-03:43:49.546.488 [ra_host.c:621]tid:46430,ra_rdev_init(621) : [init][ra_rdev]ra rdev init failed. ret(-67)", "hccl-link-down"),
    ("as reason of EI0009", "Communication_Error_Initialize_Transport(EI0009): Device 5 transport init error. Reason: The network port is down.", "hccl-link-down"),
    ("listening fails because of it", f"EJ0002: The network port is down.\n{STAMP} socket type[1], listen on ip[192.0.2.10] and specific port[16666] fail.\nEI0006: Getting socket times out.", "hccl-link-down"),
    ("hccn_tool beside a timeout", "EI0006: Getting socket times out. Reason: x\n$ hccn_tool -i 3 -link -g\nlink status: DOWN", "hccl-link-down"),
    ("fault event", "[0x81078603] npu port link down", "hccl-link-down"),
    # --- ports of sockets
    ("second job", "[rank0]: EJ0003: [PID: 159] 2025-03-26-17:01:02.816.428 Failed to bind the IP port. Reason: The IP address and port have been bound already.\n host nic listen start failed, port[60000], return[11]", "hccl-port-in-use"),
    ("newest words for it", "Communication_Error_Bind_IP_Port(EI0019): Failed to enable listening for the host network adapter socket. Reason: The IP address 192.0.2.100 and port 50001 have already been bound.", "hccl-port-in-use"),
    ("on the NPU", f"{STAMP} [hccl_socket.cc:106] [9][HcclSocket][Listen] socket type[0], listen on ip[192.0.2.195] and specific port[16666] fail. Please check the port status and whether the port is being used by other process.\n{STAMP} call trace: hcclRet -> 7", "hccl-port-in-use"),
    ("EI0020", "Communication_Error_Bind_IP_Port(EI0020): Failed to enable listening for the NPU network adapter socket. Reason: x", "hccl-port-in-use"),
    ("errno 98", "[ERROR] HCCP(3,python):2023-11-13 [rs_socket.c:671] : bind fail! family:2, IP:127.0.0.1, port:60003, sock:27, ret:0xffffffff, error:98, Possible Cause: x", "hccl-port-in-use"),
    ("port by return value", "RuntimeError: create_config: HCCL function error: hcclCommInitRootInfoConfig(numRanks, &rootInfo, rank, config, &(comm->hcclComm_)), error code is 7", "hccl-port-in-use"),
    # --- waiting for a peer
    ("EI0006", f"[rank5]: EI0006: [PID: 12] 2025-04-08-18:07:20.444.436 Getting socket times out. Reason: Remote Rank did not send the data in time.\n        Solution: {PEER}\n{ADVICE}", "hccl-connect-timeout"),
    ("code and title only", "Communication_Error_Get_Socket(EI0006)", "hccl-connect-timeout"),
    ("link row", ROW.format(27, 3, "DISABLE"), "hccl-connect-timeout"),
    ("detected pair", "This node (server 192.0.2.1, device ID 1) detects that srcRank (server 192.0.2.1, device ID 1) fails to connect to dstRank (server 192.0.2.2, device ID 0).", "hccl-connect-timeout"),
    ("peer to peer", "EI9999: [Wait][P2PConnected]connected p2p timeout, timeout:120 s. local logicDevid:0", "hccl-connect-timeout"),
    ("reporter in Chinese", "两机 16 卡训练，HCCL 建链超时", "hccl-connect-timeout"),
    # --- ranks that never came
    ("server side", f"{STAMP} [topoinfo_exchange_server.cc:314] [9][InitGroupStage][RanktableDetect]topo exchange server get socket timeout! timeout[120 s]\n{STAMP} total connected num is [15],line num is [1]\n{STAMP} need connect rankNum is [16]", "hccl-rank-missing"),
    ("named ones", '[InitGroupStage][RanktableDetect] TopoDetect ERROR occur !!! fault_type[1], fault_info["Failed to connect agent[8,9,10,11,]"]', "hccl-rank-missing"),
    ("old words with EI0006", "[Get][Connection]topo exchange agent get socket timeout! timeout[600]\nEI0006: Getting socket times out. Reason: x", "hccl-rank-missing"),
    ("EI0015", "Communication_Error_Ranktable_Detect(EI0015): Failed to collect cluster information of the communicator based on rootInfo detection. Reason: socket timeout.", "hccl-rank-missing"),
    ("server waits", "[W socket.cpp:436] [c10d] The server socket on [localhost]:29500 has timed out, will retry.", "hccl-rank-missing"),
    ("client waits", "[W117 08:01:22.1 socket.cpp:752] [c10d] The client socket on [::ffff:192.0.2.10]:29500 has timed out, will retry.", "hccl-rank-missing"),
    ("no route", "[W socket.cpp:601] [c10d] The IPv4 client socket has failed to connect to [node-0]:29500 (errno: 113 - No route to host).", "hccl-rank-missing"),
    ("torchrun", "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 3/4 clients joined.", "hccl-rank-missing"),
    ("root not reached", "torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (192.0.2.10, 29500).", "hccl-rank-missing"),
    ("msrun", "RuntimeError: Failed to connect to the meta server node url: 192.0.2.10:8118", "hccl-rank-missing"),
    # --- TLS
    ("EI0016", 'Config_Error(EI0016): Value Enable for config "tls" is invalid. Expected value: All ranks are consistent.', "hccl-tls-mismatch"),
    ("older words", "[InitGroupStage][RanktableCheck]Some ranks tlsStatus are inconsistent.", "hccl-tls-mismatch"),
    ("certificates", "err msg error:0A000418:SSL routines:tlsv1 alert unknown ca, The possible cause is that the TLS switch is inconsistent.", "hccl-tls-mismatch"),
    ("switches of hccn_tool", "dev_id:0, tls switch[1](0:disable, 1:enable)\ndev_id:1, tls switch[0](0:disable, 1:enable)\nEI0006: Getting socket times out.", "hccl-tls-mismatch"),
    ("rows of two kinds", f"EI0006: Getting socket times out.\n{ROW.format(1, 2, 'ENABLE')}\n{ROW.format(2, 1, 'DISABLE')}", "hccl-tls-mismatch"),
    # --- ranks that do not agree
    ("count", "EI0005: The arguments for collective communication are inconsistent between ranks:tag[HcomAllReduce_1],parameter[count],local[64],remote [32]\n  Transport init error. Reason: [Create] [DestLink]", "hccl-config-inconsistent"),
    ("newest words of it", "Invalid_Argument(EI0005): The parameters of operator HcclAllGather are inconsistent between ranks, parameter dataType is 4 on the local rank and 3 on the remote rank.", "hccl-config-inconsistent"),
    ("frame", f"{STAMP} [9][InitChannelStage][ParameterConflict]CMD information cclbufferSize check fail. local[209715200], remote[419430400]", "hccl-config-inconsistent"),
    ("releases", "EI0008: The HCCL versions are inconsistent: tag [x], local_version [8.0.RC3], remote_version [8.1.RC1]", "hccl-config-inconsistent"),
    # --- transport
    ("EI0009", "EI0009: [PID: 9] Transport init error. Reason: [Create][DestLink]Create Dest error! createLink para:rank[3]-localUserrank[3]-localIpAddr[192.0.2.10], dst_rank[0]-remoteUserrank[0]-remote_ip_addr[192.0.2.10]", "hccl-transport-init"),
    ("EI0010", "Communication_Error_P2P(EI0010): P2P communication failed. Reason: enable p2p failed", "hccl-transport-init"),
    # --- one device twice
    ("super node", "devices have same superDeviceId[0x5000000] in superPod[pod1]. Current device info: serverId[192.0.2.1], rankId[4], group[hccl_world_group]. Another device info: rankId[5].", "duplicate-device-ranks"),
    ("older words of it", "superDeviceId[25165824] in superPod[1]is already exist", "duplicate-device-ranks"),
    ("one server", "EI0015: Failed to collect cluster information of the communicator based on rootInfo detection. Reason: Rank 0 of node 192.0.2.10 has the same physical device ID 0 as the rank 1.", "duplicate-device-ranks"),
    ("in a table", "errNo[0x0000000005010001] check ranklist[1], device id repeat for one server", "duplicate-device-ranks"),
    ("rank ids", "Rank ID 1 of device ID 3 on node 192.0.2.10 is the same as that of device ID 5 on node 192.0.2.11", "duplicate-device-ranks"),
    ("one node in one table", "The device IP address 192.0.2.8 of rank 0 on node 198.51.100.1 is the same as the device IP address 192.0.2.8 of rank 1 on node 198.51.100.1", "duplicate-device-ranks"),
    # --- while a collective runs
    ("EI0002", "RuntimeError: ACL stream synchronize failed, error code:507048\nEI0002: [PID: 13075] The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank: [unknown].", "hccl-rank-missing"),
    ("stuck notify", "EI9999: The error from device(chipId:3, dieId:0), serial number is 9, hccl fftsplus task timeout occurred during task execution, stream_id:5, sq_id:5, task_id:38827, stuck notify num:1, timeout:30min(default).", "hccl-rank-missing"),
    ("lost packets", "Execution Error ROCE CQE(EI0013): An error CQE occurred during operator execution. Local information: server 192.0.2.1, device ID 0, device IP 198.51.100.1. Peer information: server 192.0.2.2, device ID 1, device IP 198.51.100.2.\nEI0002: notify wait timeout", "hccl-packet-loss"),
    # --- start and memory
    ("EJ0001", "EJ0001: [PID: 468348] Failed to initialize the HCCP process. Reason: Maybe the last training process is running.\n tsd client wait response fail, hostpid:1953783, device response code[1].", "device-not-released"),
    ("queue pairs", "Resource_Error_Insufficient_Device_Memory(EI0011): Failed to allocate [size: [0.25MB, 3MB], Affected by QP depth configuration.] bytes of NPU memory.", "hccl-memory-exhausted"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "cause"), [row[1:] for row in FIRST], ids=[row[0] for row in FIRST])
def test_the_cause_is_named_first(log: str, cause: str) -> None:
    assert causes_of(log)[:1] == [cause]


@pytest.mark.parametrize(
    "prefix",
    ["[rank{n}]: ", "(Worker_TP{n}_EP{n} pid={n}) ERROR 11-07 [x.py:6] ", "[1,{n}]<stderr>:", "node-{n}: "],
)
def test_launchers_do_not_matter(prefix: str) -> None:
    for name, log, cause in FIRST[::3]:
        lines = (prefix.format(n=number) + line for number, line in enumerate(log.splitlines()))
        assert causes_of("\n".join(lines))[:1] == [cause], name


CONSEQUENCES = [
    ("timeout after a port that is down", "EJ0002: The network port is down.\nEI0006: Getting socket times out.", {"HCC007": "HCC005"}),
    ("transport after other parameters", "EI0005: The arguments for collective communication are inconsistent between ranks:parameter count, local end 1, remote end 2\nEI0009: Transport init error. Reason: x", {"HCC011": "HCC010"}),
    ("waiting after lost packets", "error cqe status: 0x15\nEI0002: The wait execution of the Notify register times out.", {"HCC013": "HCC014"}),
    ("timeout after missing ranks", "topo exchange agent get socket timeout! timeout[120]\nEI0006: Getting socket times out.", {"HCC007": "HCC008"}),
    ("return value after all", "HCCL function error: HcclGetRootInfo(&hcclID), error code is 7\nEJ0003: Failed to bind the IP port. Reason: The IP address and port have been bound already.", {"HCC017": "HCC006"}),
    ("kernel after a silent rank", "reason=[aicore timeout]\nEI0002: The wait execution of the Notify register times out.", {"RUN004": "HCC013"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("log", "because"), [row[1:] for row in CONSEQUENCES], ids=[row[0] for row in CONSEQUENCES]
)
def test_consequences_name_their_root(log: str, because: dict[str, str]) -> None:
    found = {one.id: one.because_of for one in diagnose_text(log).findings}

    for check, root in because.items():
        assert root in found[check]


SILENT = [
    ("HCCL's defaults", "[INFO] HCCL(15,test):2026 [externalinput.cc:598] [15][HCCL_ENV] HCCL_CONNECT_TIMEOUT set by default to [120]s"),
    ("export in a script", "export HCCL_SOCKET_IFNAME=eth0\nexport RANK_TABLE_FILE=/user/hccl.json"),
    ("advice alone", ADVICE.replace("the connection failure between this device and target device", "the failure")),
    ("card up", "link status: UP\nipaddr:192.0.2.10\nnetmask:255.255.255.0"),
    ("equal switches", "dev_id:0, tls switch[0](0:disable, 1:enable)\ndev_id:1, tls switch[0](0:disable, 1:enable)"),
    ("other services shut down", "the port was shut down by the server\nnginx: link is fine"),
    ("other Gloo warnings", "[W ProcessGroupGloo.cpp:715] Warning: Unable to resolve hostname to a (local) address. Using the loopback address as fallback."),
    ("NVIDIA", "ncclCommInitRank failed: unhandled system error, NCCL version 2.18"),
]  # fmt: skip


@pytest.mark.parametrize("log", [row[1] for row in SILENT], ids=[row[0] for row in SILENT])
def test_silent_where_nothing_failed(log: str) -> None:
    assert [one.id for one in diagnose_text(log).findings if one.id.startswith("HCC")] == []


def test_down_ports_matter_only_where_communication_fails() -> None:
    ports = (NpuPort(0, link_up=True), NpuPort(1, link_up=False))

    (alone,) = found(LinkDown, ports=ports)
    (beside,) = found(LinkDown, log="EI0006: Getting socket times out.", ports=ports)

    assert (alone.severity, beside.severity) == (Severity.WARNING, Severity.ERROR)


def test_different_switches_without_a_symptom_are_a_warning() -> None:
    ports = (NpuPort(0, tls_enabled=True), NpuPort(1, tls_enabled=False))

    (finding,) = found(TlsMismatch, ports=ports)

    assert finding.severity is Severity.WARNING


def test_switches_that_exclude_each_other_are_a_warning() -> None:
    both = MappingProxyType({"HCCL_INTRA_PCIE_ENABLE": "1", "HCCL_INTRA_ROCE_ENABLE": "1"})

    (finding,) = found(InvalidVariable, environment=both)

    assert finding.severity is Severity.WARNING
    assert found(InvalidVariable, environment=MappingProxyType({"HCCL_INTRA_ROCE_ENABLE": "1"})) == []


def test_the_silent_rank_is_the_end_of_the_chain() -> None:
    log = "\n".join(ROW.format(peer, source, "DISABLE") for peer, source in ((1, 0), (2, 1), (2, 3)))

    (finding,) = found(ConnectTimeout, log=log)

    assert finding.observed.text() == "no answer from rank 2 in time"


def test_missing_ranks_are_counted() -> None:
    (finding,) = found(
        MissingRank, log="need connect rankNum is [8]\ntotal connected num is [6],line num is [1]"
    )

    assert finding.confidence is Confidence.CERTAIN
    assert finding.observed.text() == "6 of 8 ranks connected"


def test_the_needed_buffer_is_in_the_fix() -> None:
    log = "HCCL_BUFFSIZE is too SMALL, maxBs = 512, NEEDED_HCCL_BUFFSIZE((x)) = 609MB, HCCL_BUFFSIZE=200MB."

    (finding,) = found(InvalidVariable, log=log)

    assert finding.fix[0].run == "export HCCL_BUFFSIZE=609"


@pytest.mark.parametrize(
    ("chip", "in_container", "cause"),
    [
        ("Ascend950PR", True, "container-mounts-incomplete"),
        ("Ascend910B3", True, "hccl-ranktable-invalid"),
        ("Ascend950PR", False, "hccl-ranktable-invalid"),
    ],
)
def test_a_bare_cluster_check_is_decided_by_chip_and_container(
    chip: str, in_container: bool, cause: str
) -> None:
    findings = run_check(
        RankTable, log="Ranktable_Check_Failed(EI0014)", chip=chip, in_container=in_container
    )

    assert not isinstance(findings, Skip)
    assert findings[0].cause == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("HCCL function error: HcclGetRootInfo(&hcclID), error code is 19", "hccl-link-down"),
        ("hccl interface return err ./common/src/x.cc:499, retcode: 11", "hccl-port-in-use"),
        ("OPS function error: HcclAllreduce, error code is 6", "hccl-connect-timeout"),
        (
            "RuntimeError: [ERROR] HCCL error in: torch_npu/csrc/distributed/ProcessGroupHCCL.cpp:64",
            "hccl-connect-timeout",
        ),
    ],
)
def test_a_bare_return_value_is_only_possible(line: str, cause: str) -> None:
    (finding,) = found(CommunicatorNotCreated, log=line)

    assert (finding.cause, finding.confidence) == (cause, Confidence.POSSIBLE)


def test_skipped_without_any_text() -> None:
    assert isinstance(run_check(ConnectTimeout), Skip)
    assert isinstance(run_check(MissingRank), Skip)
