#!/usr/bin/python3
"""Writes confusables.h: which characters look like a Latin letter, by Unicode's confusables (UTS 39).

    core/model/confusables.py > core/model/confusables.h && clang-format-14 -i core/model/confusables.h

The data are those of the ICU library of this machine (libicui18n), whose version the table names.
Characters that decompose to a letter, or to another character of the table, are left out: the program
looks at a character before and after it decomposes it.
"""
import ctypes
import glob
import re
import string
import sys
import unicodedata


def open_icu():
    for path in sorted(glob.glob("/usr/lib/*/libicui18n.so.[0-9]*")):
        version = re.search(r"\.so\.(\d+)$", path)
        if version:
            return ctypes.CDLL(path), version.group(1)
    sys.exit("There is no libicui18n here. Install libicu72 or later.")


ICU, VERSION = open_icu()


def call(name, result, *arguments):
    function = getattr(ICU, f"{name}_{VERSION}")
    function.restype = result
    return function(*arguments)


STATUS = ctypes.c_int(0)
CHECKER = ctypes.c_void_p(call("uspoof_open", ctypes.c_void_p, ctypes.byref(STATUS)))


def skeleton(text):
    """Two texts with the same skeleton look alike."""
    into = ctypes.create_string_buffer(256)
    data = text.encode()
    size = call("uspoof_getSkeletonUTF8", ctypes.c_int32, CHECKER, ctypes.c_uint32(0), data,
                ctypes.c_int32(len(data)), into, ctypes.c_int32(256), ctypes.byref(STATUS))
    if STATUS.value > 0:
        sys.exit(f"ICU can't make the skeleton of {text!r}: error {STATUS.value}.")
    return into.raw[:size].decode()


def letters():
    """Letters by their skeletons; a small letter goes before a capital one."""
    known = {}
    for letter in string.ascii_lowercase + string.ascii_uppercase:
        known.setdefault(skeleton(letter), letter.lower())
    return known


def base_of(character):
    """The character without accents and fonts, as the program decomposes it."""
    plain = unicodedata.normalize("NFKD", character)
    return "".join(c for c in plain if not unicodedata.combining(c))


def main():
    known = letters()
    like = {}
    for code_point in range(0x80, 0x110000):
        character = chr(code_point)
        if unicodedata.category(character)[0] not in "LNS":
            continue
        letter = known.get(skeleton(character))
        if letter:
            like[character] = letter
    kept = {}
    for character, letter in like.items():
        base = base_of(character)
        is_letter = len(base) == 1 and base in string.ascii_letters
        if is_letter or (base != character and like.get(base) == letter):
            continue
        kept[character] = letter
    print("// Characters that look like a Latin letter, by Unicode's confusables. Written by")
    print(f"// confusables.py from the data of ICU {VERSION}; not to be edited.")
    print("#pragma once\n\n#include <array>\n#include <cstdint>\n\nnamespace chirp {\n")
    print("struct Confusable {\n  std::int32_t code_point;\n  char letter;\n};\n")
    entries = [f"Confusable{{0x{ord(c):04x}, '{letter}'}}," for c, letter in sorted(kept.items())]
    print("// In the order of code points.")
    print(f"inline constexpr std::array<Confusable, {len(entries)}> kConfusables{{\n    // clang-format off")
    for at in range(0, len(entries), 3):
        print("    " + " ".join(entries[at:at + 3]))
    print("    // clang-format on\n};\n\n}  // namespace chirp")


main()
