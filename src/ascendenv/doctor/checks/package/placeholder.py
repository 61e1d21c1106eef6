"""Packages whose name sounds like Ascend software and that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.requirements import read_requirement
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import install_cann
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals


class Placeholder(Check):
    """A package that only sounds like CANN is installed or asked for."""

    id = "PKG011"
    causes = ("placeholder-package",)

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
    ) -> Iterator[Finding]:
        """The names of the table, in a package list, in an import, or on a pip command line."""
        names = {row.name: row for row in matrix.placeholders}
        for name in names:
            if packages is not None and name in packages:
                yield self._finding(name, facts.seen("packages")[:3], matrix, facts, Severity.WARNING)
        modules = {module: row.name for row in names.values() for module in row.modules}
        for signal in signals.of("missing-module", "pip-no-version") if signals else ():
            wanted = read_requirement(signal.get("requirement"))
            asked = wanted.name if wanted is not None else modules.get(signal.get("module"), "")
            if asked in names:
                yield self._finding(asked, [signal.evidence], matrix, facts, Severity.ERROR)

    def _finding(
        self, name: str, evidence: Sequence[Evidence], matrix: Matrix, facts: HostFacts, severity: Severity
    ) -> Finding:
        return self.finding(
            severity=severity,
            confidence=Confidence.LIKELY,
            title=say("The Python package {name} is not Ascend software", name=name),
            observed=say("{name} is taken for CANN or its Python interface", name=name),
            expected=say("CANN from the vendor's packages; in Python, `import acl` and `import torch_npu`"),
            why=say(
                "the name was taken on the public index by somebody else, or stands there without content; CANN is "
                "installed by its own packages, and torch_npu is the Python package for torch"
            ),
            evidence=evidence,
            fix=(
                Fix(f"pip uninstall -y {name}"),
                *install_cann(matrix, cann=facts.cann or None, torch_npu=facts.torch_npu or None),
            ),
            sources=[source for row in matrix.placeholders if row.name == name for source in row.sources],
        )
