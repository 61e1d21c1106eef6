"""What a look at the box itself says for and against the explanations of devices that do not answer.

Each answer is True where the box shows it, False where the box rules it out, None where it was not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.observed import card_nodes, looked_at
from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from ascendenv.facts.model import DeviceNode, DeviceOwner, HostFacts, User

__all__ = [
    "changed_since_start",
    "foreign_owners",
    "is_confined",
    "is_permitted",
    "names_virtual_device",
    "refused_nodes",
    "refused_though_permitted",
]

_OWNER, _GROUP, _OTHERS = 0o600, 0o060, 0o006
_REFUSALS = ("EACCES", "EPERM")


def changed_since_start(facts: HostFacts) -> bool | None:
    """Whether the files of driver or firmware are newer than the start of the machine."""
    state = known(facts.kernel_state)
    if state is None or state.boot_time is None or state.driver_written is None:
        return None
    return state.driver_written > state.boot_time


def is_confined(facts: HostFacts) -> bool | None:
    """Whether a sandbox confines the process: one that is known by name, or rights given up in a namespace of its own."""
    confinement = known(facts.confinement)
    if confinement is None:
        return None
    if confinement.sandbox is not None:
        return True
    if facts.in_container:
        return None  # containers filter and confine, too
    return bool(confinement.no_new_privileges and (confinement.filtered or confinement.own_user_namespace))


def names_virtual_device(facts: HostFacts) -> bool | None:
    """Whether the box has nodes of virtual devices."""
    if not looked_at(facts):
        return None
    return any("vdavinci" in node.path for node in known(facts.device_nodes) or ())


def refused_nodes(facts: HostFacts, *errors: str) -> tuple[DeviceNode, ...]:
    """The nodes that the kernel refuses to open to this process, for one of `errors` or any refusal."""
    wanted = errors or _REFUSALS
    return tuple(node for node in known(facts.device_nodes) or () if node.refused in wanted)


def refused_though_permitted(facts: HostFacts) -> tuple[DeviceNode, ...]:
    """The nodes that are refused although mode, owner and group would let this user open them."""
    user, confinement = known(facts.user), known(facts.confinement)
    powerful = (
        user is not None
        and user.is_root is True
        and (confinement is None or confinement.capabilities is not False)
    )
    return tuple(node for node in refused_nodes(facts) if is_permitted(node, user, powerful=powerful))


def is_permitted(node: DeviceNode, user: User | None, *, powerful: bool) -> bool:
    """Whether mode, owner and group of the node let `user` read and write it; False where that is not known.

    `powerful` tells that the process has root's rights, which pass every mode.
    """
    if user is None or node.mode is None:
        return False
    if powerful or node.mode & _OTHERS == _OTHERS:
        return True
    if user.name is not None and node.owner == user.name:
        return node.mode & _OWNER == _OWNER
    return node.group in (user.groups or ()) and node.mode & _GROUP == _GROUP


def foreign_owners(facts: HostFacts) -> tuple[DeviceOwner, ...]:
    """The devices that the driver's table gives to another container and that this place could use."""
    here = card_nodes(facts)
    return tuple(
        one for one in known(facts.device_owners) or () if not one.here and (not here or one.device in here)
    )
