"""Makes a C++ symbol readable: the part of the Itanium name mangling that libraries of this field use.

What it does not know (expressions in template arguments, `decltype`) ends in `Unsupported`; a symbol that was cut off
gives what was read until then. The grammar is https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Unsupported", "demangle"]

LONGEST = 20_000
"""How many characters a readable form may have."""

_BUILTIN = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double",
    "e": "long double", "g": "__float128", "z": "...",
}  # fmt: skip
_BUILTIN_D = {"Dn": "decltype(nullptr)", "Di": "char32_t", "Ds": "char16_t", "Du": "char8_t", "Da": "auto",
              "Dh": "half"}  # fmt: skip
_STANDARD = {"Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string", "Si": "std::istream",
             "So": "std::ostream", "Sd": "std::iostream"}  # fmt: skip
_SPECIAL = {"TV": "vtable for ", "TT": "VTT for ", "TI": "typeinfo for ", "TS": "typeinfo name for ",
            "GV": "guard variable for ", "GR": "reference temporary for "}  # fmt: skip
_OPERATORS = {
    "nw": "new", "na": "new[]", "dl": "delete", "da": "delete[]", "ps": "+", "ng": "-", "ad": "&", "de": "*",
    "co": "~", "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "an": "&", "or": "|", "eo": "^", "aS": "=",
    "pL": "+=", "mI": "-=", "mL": "*=", "dV": "/=", "rM": "%=", "aN": "&=", "oR": "|=", "eO": "^=", "ls": "<<",
    "rs": ">>", "lS": "<<=", "rS": ">>=", "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=",
    "ss": "<=>", "nt": "!", "aa": "&&", "oo": "||", "pp": "++", "mm": "--", "cm": ",", "pm": "->*", "pt": "->",
    "cl": "()", "ix": "[]", "qu": "?",
}  # fmt: skip
_LONG_STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>"
_LITERAL_ENDS = {"bool": "", "int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul"}
_POINTERS = {"P": "*", "R": "&", "O": "&&"}
_QUALIFIERS = {"K": "const", "V": "volatile", "r": "restrict"}


class Unsupported(ValueError):
    """The symbol uses a part of the grammar that is not read here, or is no mangled symbol."""


class Type(NamedTuple):
    """A type in the two halves between which a declared name would stand: `int (`, `)(char)` for a function pointer."""

    left: str
    right: str = ""

    def __str__(self) -> str:
        return self.left + self.right

    def pointer(self, sign: str) -> Type:
        """A pointer or reference to this type."""
        if self.right.startswith((" [", " (")):
            return Type(
                f"{self.left} ({sign}", f"){self.right.lstrip() if self.right[1] == '(' else self.right}"
            )
        if sign != "*" and self.left.endswith("&"):  # a reference to a reference is one reference
            return Type(self.left.rstrip("&") + min(sign, "&" * self.left.count("&")), self.right)
        return Type(self.left + sign, self.right)


class Name(NamedTuple):
    """A read name; `returns` tells whether the mangled form of a function of that name holds its result type, too."""

    text: str
    returns: bool = False
    suffix: str = ""


def demangle(symbol: str) -> str:
    """The readable form of a mangled symbol, e.g. `c10::Error::Error(std::string)`.

    Both forms of `std::string` read the same; raises Unsupported for anything that is no such symbol.
    """
    body, _, version = symbol.partition("@")
    body = body.split(".", 1)[0]
    if not body.startswith("_Z"):
        raise Unsupported(symbol)
    reader = Reader(body[2:])
    try:
        text = reader.symbol()
    except (IndexError, RecursionError) as error:
        raise Unsupported(symbol) from error
    return text.replace(_LONG_STRING, "std::string") + (f"@{version}" if version else "")


class Reader:
    """Reads one mangled name from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._seen: list[Type] = []  # what S_, S0_, ... stand for
        self._arguments: list[str] = []  # what T_, T0_, ... stand for

    def symbol(self) -> str:
        """The whole symbol."""
        for prefix, words in _SPECIAL.items():
            if self._take(prefix):
                return words + str(self._name().text if prefix[0] == "G" else self._type())
        return self._encoding()

    def _peek(self, length: int = 1) -> str:
        return self._text[self._at : self._at + length]

    def _take(self, text: str) -> bool:
        if not self._text.startswith(text, self._at) or not text:
            return False
        self._at += len(text)
        return True

    def _encoding(self) -> str:
        name = self._name()
        if self._peek() in {"", "E"}:
            return name.text
        parameters = [str(one) for one in self._types()]
        if name.returns:
            parameters = parameters[1:]
        return f"{name.text}({'' if parameters == ['void'] else ', '.join(parameters)}){name.suffix}"

    def _types(self) -> list[Type]:
        types = []
        while self._peek() not in {"", "E"}:
            types.append(self._type())
            self._bounded(types)
        return types

    # --- names

    def _name(self) -> Name:
        if self._take("N"):
            return self._nested()
        if self._take("Z"):
            return self._local()
        if self._peek() == "S" and self._peek(2) != "St":
            text = str(self._substitution())
        else:
            text = ("std::" if self._take("St") else "") + self._unqualified("")
            if self._peek() == "I":
                self._seen.append(Type(text))
        if self._peek() == "I":
            gap = " " if text.endswith("<") else ""
            return Name(text + gap + self._template_arguments(outermost=True), returns=True)
        return Name(text)

    def _nested(self) -> Name:
        suffix = ""
        while self._peek() in _QUALIFIERS:
            suffix += f" {_QUALIFIERS[self._next()]}"
        for sign in ("R", "O"):
            if self._take(sign):
                suffix += f" {_POINTERS[sign]}"
        text, returns = "", False
        while not self._take("E"):
            if not self._peek():  # cut off
                return Name(text, returns, suffix)
            text, returns = self._component(text)
        if self._seen and str(self._seen[-1]) == text:
            self._seen.pop()  # the whole name is known by another entry, if at all
        return Name(text, returns, suffix)

    def _component(self, before: str) -> tuple[str, bool]:
        if self._peek() == "I":
            text, returns = before + self._template_arguments(outermost=True), not _has_no_result(before)
        elif self._peek() == "S" and self._peek(2) != "St":
            return str(self._substitution()), False
        elif self._peek(2) == "St":
            self._at += 2
            return "std", False
        elif self._peek() == "T":
            text, returns = self._template_parameter(), False
            self._seen.append(Type(text))
            return text, returns
        else:
            last = self._unqualified(before)
            text, returns = f"{before}::{last}" if before else last, False
        self._seen.append(Type(text))
        return text, returns

    def _local(self) -> Name:
        outer = self._encoding()
        self._take("E")
        if self._take("s"):
            return Name(f"{outer}::string literal")
        inner = self._name()
        if self._take("_"):
            self._digits()
        return Name(f"{outer}::{inner.text}", inner.returns, inner.suffix)

    def _unqualified(self, before: str) -> str:
        self._take("L")
        letter = self._peek()
        if letter.isascii() and letter.isdigit():
            text = self._source_name()
        elif letter in {"C", "D"} and self._peek(2)[1:] in set("0123456"):
            self._at += 2
            text = ("~" if letter == "D" else "") + _last_name(before)
        elif self._take("Ul"):
            text = self._lambda()
        elif self._take("Ut"):
            text = f"{{unnamed type#{self._number()}}}"
        else:
            text = self._operator()
        while self._take("B"):
            text += f"[abi:{self._source_name()}]"
        return text

    def _source_name(self) -> str:
        length = int(self._digits() or self._unsupported())
        text = self._peek(length)
        self._at += length
        return "(anonymous namespace)" if text.startswith("_GLOBAL__N") else text

    def _lambda(self) -> str:
        types = ", ".join(str(one) for one in self._types())
        self._take("E")
        return f"{{lambda({'' if types == 'void' else types})#{self._number()}}}"

    def _operator(self) -> str:
        code = self._peek(2)
        self._at += 2
        if code == "cv":
            return f"operator {self._type()}"
        if code == "li":
            return f'operator"" {self._source_name()}'
        word = _OPERATORS.get(code) or self._unsupported()
        return f"operator {word}" if word[0].isalpha() else f"operator{word}"

    # --- types

    def _type(self) -> Type:
        letter = self._peek()
        if letter in _BUILTIN:
            self._at += 1
            return Type(_BUILTIN[letter])
        if self._peek(2) in _BUILTIN_D:
            self._at += 2
            return Type(_BUILTIN_D[self._text[self._at - 2 : self._at]])
        if letter == "S" and self._peek(2) != "St":
            return self._substituted()
        made = self._made_type(letter)
        self._seen.append(made)
        return made

    def _substituted(self) -> Type:
        base = self._substitution()
        if self._peek() != "I":
            return base
        made = Type(str(base) + self._template_arguments())
        self._seen.append(made)
        return made

    def _made_type(self, letter: str) -> Type:
        if letter in _POINTERS:
            self._at += 1
            return self._type().pointer(_POINTERS[letter])
        if letter in _QUALIFIERS:
            return self._qualified()
        if letter == "A":
            return self._array()
        if letter in {"F", "M"}:
            self._at += 1
            return self._function() if letter == "F" else self._member_pointer()
        if self._take("Dp"):
            return self._type()
        return self._named_type(letter)

    def _named_type(self, letter: str) -> Type:
        if letter == "T" and self._peek(2) not in {"Ts", "Tu", "Te"}:
            parameter = self._template_parameter()
            if self._peek() == "I":
                self._seen.append(Type(parameter))
                parameter += self._template_arguments()
            return Type(parameter)
        if letter == "D":  # decltype and the like
            self._unsupported()
        arguments, name = self._arguments, self._name()
        self._arguments = arguments
        return Type(name.text)

    def _qualified(self) -> Type:
        words = []
        while self._peek() in _QUALIFIERS:
            words.append(_QUALIFIERS[self._next()])
        inner = self._type()
        return Type(" ".join([inner.left, *reversed(words)]), inner.right)

    def _array(self) -> Type:
        self._at += 1
        size = self._digits()
        if not self._take("_"):
            self._unsupported()
        inner = self._type()
        return Type(inner.left, f" [{size}]{inner.right.lstrip()}")

    def _function(self) -> Type:
        self._take("Y")
        types = self._types()
        self._take("E")
        if not types:
            self._unsupported()
        result, *parameters = types
        shown = ", ".join(str(one) for one in parameters)
        return Type(str(result), f" ({'' if shown == 'void' else shown})")

    def _member_pointer(self) -> Type:
        owner, member = self._type(), self._type()
        if member.right.startswith(" ("):
            return Type(f"{member.left} ({owner}::*", f"){member.right.lstrip()}")
        return Type(f"{member.left} {owner}::*", member.right)

    # --- templates and substitutions

    def _template_arguments(self, *, outermost: bool = False) -> str:
        self._at += 1
        arguments: list[str] = []
        while self._peek() and not self._take("E"):
            arguments.extend(self._argument())
            self._bounded(arguments)
        if outermost:
            self._arguments = arguments
        return f"<{', '.join(arguments)}>"

    def _argument(self) -> list[str]:
        if self._take("J"):
            pack: list[str] = []
            while self._peek() and not self._take("E"):
                pack.extend(self._argument())
                self._bounded(pack)
            return pack
        if self._take("L"):
            return [self._literal()]
        if self._peek() == "X":
            self._unsupported()
        return [str(self._type())]

    def _literal(self) -> str:
        if self._take("_Z"):
            text = self._encoding()
        else:
            kind = str(self._type())
            number = ("-" if self._take("n") else "") + self._digits()
            text = {"0": "false", "1": "true"}.get(number, number) if kind == "bool" else number
            text = text + _LITERAL_ENDS[kind] if kind in _LITERAL_ENDS else f"({kind}){text}"
        self._take("E")
        return text

    def _template_parameter(self) -> str:
        self._at += 1
        number = self._sequence()
        return self._arguments[number] if number < len(self._arguments) else f"T{number}"

    def _substitution(self) -> Type:
        if self._peek(2) in _STANDARD:
            self._at += 2
            return Type(_STANDARD[self._text[self._at - 2 : self._at]])
        self._at += 1
        return self._seen[self._sequence()]

    def _sequence(self) -> int:
        """The number in `S_`, `S0_`, `S1_`, `T0_`: nothing is 0, 0 is 1."""
        end = self._text.index("_", self._at) if "_" in self._text[self._at :] else self._unsupported_at()
        digits = self._text[self._at : end]
        self._at = end + 1
        return int(digits, 36) + 1 if digits else 0

    def _number(self) -> int:
        """The number in `Ul...E_`, `Ul...E0_`: nothing is 1."""
        return self._sequence() + 1

    def _digits(self) -> str:
        begin = self._at
        while self._peek().isascii() and self._peek().isdigit():
            self._at += 1
        return self._text[begin : self._at]

    def _next(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def _bounded(self, parts: Iterable[Type | str]) -> None:
        """Refuse a symbol whose repeats would fill the memory: a repeat of a repeat doubles it."""
        if sum(len(str(part)) for part in parts) > LONGEST:
            self._unsupported()

    def _unsupported(self) -> str:
        raise Unsupported(self._text[self._at :])

    def _unsupported_at(self) -> int:
        raise Unsupported(self._text[self._at :])


def _has_no_result(name: str) -> bool:
    """Whether that is a constructor, a destructor or a conversion, whose result type is not written."""
    owner, _, last = name.rpartition("::")
    return last.startswith("operator ") or (bool(owner) and last.lstrip("~") == _last_name(owner))


def _last_name(name: str) -> str:
    """The last part of a qualified name, without its template arguments: what a constructor is called."""
    depth, end = 0, len(name)
    for place in range(len(name) - 1, -1, -1):
        depth += (name[place] == ">") - (name[place] == "<")
        if depth == 0:
            end = place if name[place] == "<" else end
            if name[place : place + 2] == "::":
                return name[place + 2 : end]
    return name[:end]
