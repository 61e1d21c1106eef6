"""Checks of collective communication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.hccl.communicator_not_created import CommunicatorNotCreated
from ascendenv.doctor.checks.hccl.connect_timeout import ConnectTimeout
from ascendenv.doctor.checks.hccl.device_address import DeviceAddress
from ascendenv.doctor.checks.hccl.duplicate_device import DuplicateDevice
from ascendenv.doctor.checks.hccl.execution_timeout import ExecutionTimeout
from ascendenv.doctor.checks.hccl.inconsistent_ranks import InconsistentRanks
from ascendenv.doctor.checks.hccl.interface_name import InterfaceName
from ascendenv.doctor.checks.hccl.invalid_variable import InvalidVariable
from ascendenv.doctor.checks.hccl.link_down import LinkDown
from ascendenv.doctor.checks.hccl.memory_exhausted import MemoryExhausted
from ascendenv.doctor.checks.hccl.missing_rank import MissingRank
from ascendenv.doctor.checks.hccl.packet_loss import PacketLoss
from ascendenv.doctor.checks.hccl.port_in_use import PortInUse
from ascendenv.doctor.checks.hccl.process_left_over import ProcessLeftOver
from ascendenv.doctor.checks.hccl.rank_table import RankTable
from ascendenv.doctor.checks.hccl.tls_mismatch import TlsMismatch
from ascendenv.doctor.checks.hccl.transport_init import TransportInit

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    InterfaceName,
    InvalidVariable,
    RankTable,
    DeviceAddress,
    LinkDown,
    PortInUse,
    ConnectTimeout,
    MissingRank,
    TlsMismatch,
    InconsistentRanks,
    TransportInit,
    DuplicateDevice,
    ExecutionTimeout,
    PacketLoss,
    ProcessLeftOver,
    MemoryExhausted,
    CommunicatorNotCreated,
)
