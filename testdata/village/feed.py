#!/usr/bin/env python3
"""Home feeds of the village, straight from its files: the definition, and nothing of chirp.

    feed.py of NAME [NOT]   the feed of NAME, newest first; without what NOT wrote
    feed.py names           everybody's name
    feed.py pages           the feed in the JSON pages on standard input, in the same form
    feed.py next            the nextCursor of the JSON page on standard input, if there is more
    feed.py served URL NAME PASSWORD
                            the first page of NAME as JSON, from a server

A line an entry: when it was written, by whom, and the text as JSON.
"""
import csv
import json
import pathlib
import sys
import urllib.request

HERE = pathlib.Path(__file__).parent


def table(name):
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def show(time, author, text):
    time = time.replace(".000Z", "Z")
    print(time, author, json.dumps(text, ensure_ascii=False))


def feed_of(viewer, left_out):
    names = {row["id"]: row["username"] for row in table("names.csv")}
    authors = {viewer} | {
        names[row["followee"]] for row in table("follows.csv") if names[row["follower"]] == viewer
    }
    with open(HERE / "posts.jsonl", encoding="utf-8") as file:
        posts = [json.loads(line) for line in file]
    posts.sort(key=lambda post: post["createdAt"], reverse=True)
    for post in posts:
        author = names[str(post["authorId"])]
        if author in authors and author != left_out:
            show(post["createdAt"], author, post["text"])


def asked(url, body=None, token=None):
    request = urllib.request.Request(url, data=body and json.dumps(body).encode())
    if body:
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def served_page(url, name, password):
    session = asked(url + "/v1/sessions", {"username": name, "password": password})
    return asked(url + "/v1/feed?limit=100", token=json.loads(session)["token"])


def main(verb, *arguments):
    if verb == "of":
        feed_of(arguments[0], arguments[1] if len(arguments) > 1 else None)
    elif verb == "names":
        for row in table("names.csv"):
            print(row["username"])
    elif verb == "pages":
        for line in sys.stdin:
            for post in json.loads(line)["posts"]:
                show(post["createdAt"], post["username"], post["content"])
    elif verb == "served":
        print(served_page(*arguments))
    elif verb == "next":
        page = json.load(sys.stdin)["pagination"]
        if page["hasMore"]:
            print(page["nextCursor"])
    else:
        sys.exit(__doc__)


main(*sys.argv[1:] or ["help"])
