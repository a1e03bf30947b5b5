#!/usr/bin/env python3
"""Counts what should stay small: riddles in the language, names with two meanings, lines, fragments.

Usage: counts.py [--list NAME | --check] [TREE]
  --list   the places that a line of the table counts
  --check  status 1 if a line is over its bound

Comments, messages and docs are those of the program (core, store, server, cli, README, CHANGELOG,
docs); code is not looked at for words. Tests are counted apart.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

PROGRAM = ("core", "store", "server", "cli")
PAGES = ("README.md", "CHANGELOG.md", "docs")
WORDS = re.compile(
    r"\b(stands|lies|told|goes by|come of|take in|by nobody|unless told|passed over|is none)\b")
FRAGMENT = re.compile(r"^(Who|Whose|Of|To be)\b")
TYPE = re.compile(r"^(\s*)(?:template\s*<.*>\s*)?(?:struct|class|enum class|union)\s+(\w+)"
                  r"(?:\s+final)?\s*(?::[^:;]|\{|$)|^(\s*)using\s+(\w+)\s*=")
# Strings with their raw form, characters, digits with separators, comments.
TOKEN = re.compile(
    r'R"(?P<d>[^()\\\s]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<=\w)\'(?=\w)'
    r"|'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*.*?\*/", re.S)


def files(tree, folders, endings):
    for folder in folders:
        path = Path(tree) / folder
        for found in [path] if path.is_file() else sorted(path.rglob("*")):
            if found.is_file() and found.name.endswith(endings):
                yield found.relative_to(tree).as_posix()


def prose(text):
    """Comments and string literals, as (line, text, is_comment)."""
    for token in TOKEN.finditer(text):
        found = token.group()
        if found[0] == "'":
            continue
        yield text.count("\n", 0, token.start()) + 1, found, found[0] == "/"


def blocks(text):
    """Comments that begin a block, as (line, text)."""
    last = -1
    for line, found, is_comment in prose(text):
        if not is_comment or found.startswith("/*"):
            continue
        if line != last + 1:
            yield line, found[2:].strip()
        last = line


def top_level_types(text):
    """Names of types that are not inside another type or a function, as (line, name)."""
    opened = []  # per brace: whether it is that of a namespace
    bare = TOKEN.sub(lambda t: re.sub(r"[^\n]", " ", t.group()), text)
    for number, line in enumerate(bare.split("\n"), 1):
        named = TYPE.match(line)
        if named and all(opened) and not line.rstrip().endswith(";") or (
                named and all(opened) and ("using" in line or "{" in line)):
            yield number, named.group(2) or named.group(4)
        is_namespace = re.match(r"\s*(inline )?namespace\b|\s*extern\s", line) is not None
        for letter in line:
            if letter == "{":
                opened.append(is_namespace)
            elif letter == "}" and opened:
                opened.pop()


def count(tree):
    places = defaultdict(list)
    homes = defaultdict(list)
    for name in files(tree, PROGRAM, (".cpp", ".h")):
        text = (Path(tree) / name).read_text()
        for line, found, _ in prose(text):
            for word in WORDS.finditer(found):
                at = line + found.count("\n", 0, word.start())
                places["words"].append(f"{name}:{at}: {word.group()}")
        for line, found in blocks(text):
            if FRAGMENT.match(found):
                places["fragments"].append(f"{name}:{line}: {found}")
        for line, named in top_level_types(text):
            homes[named].append(f"{name}:{line}")
        lines = text.count("\n")
        places["lines"] += [name] * lines
        if name.endswith(".cpp") and lines < 50:
            places["short"].append(f"{name}: {lines}")
    for name in files(tree, ("server/web",), (".js", ".css", ".html")):
        text = (Path(tree) / name).read_text()
        places["page"] += [name] * text.count("\n")
        for number, line in enumerate(text.split("\n"), 1):
            if re.search(r"//|^\s*(/?\*|<!--)|\"|'|`", line):
                places["words"] += [f"{name}:{number}: {w.group()}" for w in WORDS.finditer(line)]
    for name in files(tree, PAGES, (".md", ".yaml")):
        for number, line in enumerate((Path(tree) / name).read_text().split("\n"), 1):
            places["words"] += [f"{name}:{number}: {w.group()}" for w in WORDS.finditer(line)]
    for name in files(tree, ("tests",), (".cpp", ".h", ".c")):
        text = (Path(tree) / name).read_text()
        places["tests"] += [name] * text.count("\n")
        for line, found, _ in prose(text):
            for word in WORDS.finditer(found):
                places["test words"].append(f"{name}:{line}: {word.group()}")
        for line, found in blocks(text):
            if FRAGMENT.match(found):
                places["test fragments"].append(f"{name}:{line}: {found}")
    for named, where in sorted(homes.items()):
        if len(where) > 1:
            places["types"].append(f"{named}: {', '.join(where)}")
    return places


TABLE = {  # what is counted, and its bound
    "words": ("words of riddles in comments, docs and messages", 70),
    "fragments": ("comments that begin with Who, Whose, Of, To be", 0),
    "types": ("names of types with more than one definition", 30),
    "short": ("files of code under 50 lines", 40),
    "lines": ("lines of the program", None),
    "page": ("lines of the page", None),
    "tests": ("lines of tests", None),
    "test words": ("words of riddles in tests", 20),
    "test fragments": ("comments of tests that begin with Who, Whose, Of, To be", 0),
}


def main():
    arguments = sys.argv[1:]
    listed = None
    checks = arguments[:1] == ["--check"]
    if checks:
        arguments = arguments[1:]
    elif arguments[:1] == ["--list"]:
        listed = arguments[1]
        arguments = arguments[2:]
    places = count(arguments[0] if arguments else ".")
    if listed:
        print("\n".join(places[listed]))
        return
    over = False
    for name, (meaning, bound) in TABLE.items():
        found = len(places[name])
        is_over = bound is not None and found > bound
        over = over or is_over
        print(f"{found:7} {name}: {meaning}" + (f" (at most {bound})" if is_over else ""))
    if checks and over:
        sys.exit(1)


if __name__ == "__main__":
    main()
