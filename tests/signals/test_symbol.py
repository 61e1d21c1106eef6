from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ascendenv.resources import data_folder
from ascendenv.signals.demangle import Unsupported, demangle
from ascendenv.signals.symbol import provider_of, read_symbol

READABLE = [
    ("_ZN5torch10ValueErrorC1EPKcz", "torch::ValueError::ValueError(char const*, ...)"),
    ("_ZN3c105ErrorD1Ev", "c10::Error::~Error()"),
    ("_ZN3c105ErrorC2ENS_14SourceLocationESs", "c10::Error::Error(c10::SourceLocation, std::string)"),
    (
        "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        "c10::Error::Error(c10::SourceLocation, std::string)",
    ),
    (
        "_ZN3c108ListType3getERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEENS_4Type24SingletonOrSharedTypePtrIS9_EE",
        "c10::ListType::get(std::string const&, c10::Type::SingletonOrSharedTypePtr<c10::Type>)",
    ),
    (
        "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs",
        "c10::detail::torchCheckFail(char const*, char const*, unsigned int, std::string const&)",
    ),
    (
        "_ZN3atb15CreateOperationINS_5infer14GroupTopkParamEEEiRKT_PPNS_9OperationE",
        "atb::CreateOperation<atb::infer::GroupTopkParam>(atb::infer::GroupTopkParam const&, atb::Operation**)",
    ),
    ("_ZN5torch8autograd10deleteNodeEPNS0_4NodeE", "torch::autograd::deleteNode(torch::autograd::Node*)"),
    ("_ZNK5torch8autograd4Node4nameB5cxx11Ev", "torch::autograd::Node::name[abi:cxx11]() const"),
    ("_ZTIN3c105ErrorE", "typeinfo for c10::Error"),
    ("_ZTVN2at10TensorImplE", "vtable for at::TensorImpl"),
    (
        "_ZN2at4_ops10zeros_like4callERKNS_6TensorEN3c108optionalINS5_10ScalarTypeEEE",
        "at::_ops::zeros_like::call(at::Tensor const&, c10::optional<c10::ScalarType>)",
    ),
    (
        "_ZN3c1019UndefinedTensorImpl10_singletonE",
        "c10::UndefinedTensorImpl::_singleton",
    ),
    (
        "_ZN8c10d_npu16ProcessGroupHCCL8WorkHCCL4waitENSt6chrono8durationIlSt5ratioILl1ELl1000EEEE",
        "c10d_npu::ProcessGroupHCCL::WorkHCCL::wait(std::chrono::duration<long, std::ratio<1l, 1000l>>)",
    ),
    ("_ZlsRSoRKN3c106DeviceE", "operator<<(std::ostream&, c10::Device const&)"),
    ("_ZNSt8functionIFvvEEC1ERKS1_", "std::function<void ()>::function(std::function<void ()> const&)"),
    ("_Z3fooPFiPA10_cE", "foo(int (*)(char (*) [10]))"),
    ("_ZN3c10eqERKNS_6SymIntEi", "c10::operator==(c10::SymInt const&, int)"),
    ("_ZNK3c106SymIntcvNS_6ScalarEEv", "c10::SymInt::operator c10::Scalar() const"),
    ("_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run()"),
    ("_ZN3c105Error4whatEv@ABI_1.0", "c10::Error::what()@ABI_1.0"),
]


@pytest.mark.parametrize(("symbol", "readable"), READABLE)
def test_symbols_are_read_for_people(symbol: str, readable: str) -> None:
    assert demangle(symbol) == readable


@pytest.mark.parametrize(
    "symbol", ["", "main", "_Z", "_Z3", "_ZN", "_ZNS_E", "_ZXsr", "_ZN3c10S9_E", "_ZI" * 2000]
)
def test_what_is_no_symbol_is_refused_or_read_as_far_as_it_goes(symbol: str) -> None:
    with contextlib.suppress(Unsupported):
        assert isinstance(demangle(symbol), str)


GRAMMAR = st.sampled_from(["N", "E", "S_", "S0_", "T_", "I", "P", "R", "K", "3c10", "5Error", "C1", "D1", "v", "i", "Ss",
                           "St", "L", "F", "A10_", "M", "J", "Dp", "X", "_", "9", "Ul", "cv", "Z"])  # fmt: skip


@given(st.lists(GRAMMAR, max_size=40).map("".join))
def test_any_mangled_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Unsupported):
        demangle(f"_Z{text}")
    assert read_symbol(f"_Z{text}").name == f"_Z{text}"


def test_a_symbol_that_grows_without_end_is_refused() -> None:
    doubling = "_Z1f" + "".join(
        f"1aI{'' if n == 0 else 'S%s_' % ('' if n == 1 else n) * 2}iE" for n in range(36)
    )
    assert len(read_symbol(doubling).readable) < 100_000


@given(st.text(max_size=60))
def test_any_text_is_a_symbol(text: str) -> None:
    assert read_symbol(text).name == text


def test_a_symbol_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    assert demangle("_ZN3atb13OpParamToJson") == "atb::OpParamToJson"
    assert read_symbol("_ZN3c106detail14torchCheckFailEPKcXsr").qualified.startswith(
        "c10::detail::torchCheckFail"
    )


STRINGS = [
    ("_ZN3c105ErrorC2ENS_14SourceLocationESs", "old"),
    ("_ZN3Mki2DlC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEb", "new"),
    ("_ZNK5torch8autograd4Node4nameB5cxx11Ev", "new"),
    ("_ZN3c103fooERKSbIwSt11char_traitsIwESaIwEE", "old"),
    ("_ZN3c105ErrorD1Ev", None),
    ("_ZN3foo4Ssss3barEv", None),
    ("aclSs", None),
]


@pytest.mark.parametrize(("symbol", "abi"), STRINGS)
def test_the_form_of_string_is_told(symbol: str, abi: str | None) -> None:
    assert read_symbol(symbol).string_abi == abi


NAMESPACES = [
    ("_ZN3c105ErrorD1Ev", "c10"),
    ("_ZN7c10_npu3acl20AclrtPeekAtLastErrorE17aclrtLastErrLevel", "c10_npu"),
    ("_ZTIN3c105ErrorE", "c10"),
    ("_Z3foov", None),
    ("aclInit", None),
]


@pytest.mark.parametrize(("symbol", "namespace"), NAMESPACES)
def test_the_outermost_namespace_is_told(symbol: str, namespace: str | None) -> None:
    assert read_symbol(symbol).namespace == namespace


RULES = yaml.safe_load(
    (Path(data_folder("matrix")) / "symbols" / "providers.yaml").read_text(encoding="utf-8")
)
EXAMPLES = [(example, rule["provider"]) for rule in RULES for example in rule["examples"]]


@pytest.mark.parametrize(("symbol", "provider"), EXAMPLES)
def test_the_provider_of_each_example(symbol: str, provider: str) -> None:
    assert provider_of(symbol) == provider


OTHERS = [
    "main",
    "malloc",
    "rtld_global",
    "half",
    "profile",
    "accept",
    "mmap",
    "gettimeofday",
    "_ZN4vllm3runEv",
    "",
]


@pytest.mark.parametrize("symbol", OTHERS)
def test_other_symbols_have_no_provider(symbol: str) -> None:
    assert provider_of(symbol) is None
