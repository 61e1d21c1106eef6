"""What only running it shows: the findings of the live probe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.live.process_crashes import ProcessCrashes
from ascendenv.doctor.checks.live.runtime_refuses import RuntimeRefuses
from ascendenv.doctor.checks.live.step_fails import StepFails
from ascendenv.doctor.checks.live.step_hangs import StepHangs
from ascendenv.doctor.checks.live.training_unsound import TrainingUnsound
from ascendenv.doctor.checks.live.wrong_product import WrongProduct

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    StepFails,
    StepHangs,
    ProcessCrashes,
    RuntimeRefuses,
    WrongProduct,
    TrainingUnsound,
)
