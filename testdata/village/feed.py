#!/usr/bin/env python3
"""Home feeds of the village, straight from its files: the definition, and nothing of chirp.

    feed.py of NAME [NOT]   the feed of NAME, newest first; without what NOT wrote
    feed.py names           everybody's name
    feed.py pages           the feed in the JSON pages on standard input, in the same form
    feed.py next            the nextCursor of the JSON page on standard input, if there is more

A line a post, at its newest entry: when it was written, by whom, and the text as JSON.
"""
import csv
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def table(name):
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def show(time, author, text):
    time = time.replace(".000Z", "Z")
    print(time, author, json.dumps(text, ensure_ascii=False))


def rows(name):
    with open(HERE / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def entries():
    """When, by whom, and the post: of a repost the one that it shows."""
    posts = {post["id"]: post for post in rows("posts.jsonl")}
    for post in posts.values():
        yield post["createdAt"], post["authorId"], post
    for row in rows("talk.jsonl"):
        if "repostOf" in row:
            yield row["createdAt"], row["authorId"], posts[row["repostOf"]]


def feed_of(viewer, left_out):
    names = {row["id"]: row["username"] for row in table("names.csv")}
    authors = {viewer} | {
        names[row["followee"]] for row in table("follows.csv") if names[row["follower"]] == viewer
    }
    seen = set()
    for _, by, post in sorted(entries(), key=lambda entry: entry[0], reverse=True):
        author = names[str(post["authorId"])]
        if names[str(by)] in authors and author != left_out and post["id"] not in seen:
            seen.add(post["id"])
            show(post["createdAt"], author, post["text"])


def main(verb, *arguments):
    if verb == "of":
        feed_of(arguments[0], arguments[1] if len(arguments) > 1 else None)
    elif verb == "names":
        for row in table("names.csv"):
            print(row["username"])
    elif verb == "pages":
        seen = set()
        for line in sys.stdin:
            for post in json.loads(line)["posts"]:
                if post["postId"] not in seen:
                    seen.add(post["postId"])
                    show(post["createdAt"], post["username"], post["content"])
    elif verb == "next":
        page = json.load(sys.stdin)["pagination"]
        if page["hasMore"]:
            print(page["nextCursor"])
    else:
        sys.exit(__doc__)


main(*sys.argv[1:] or ["help"])
