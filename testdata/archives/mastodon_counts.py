#!/usr/bin/env python3
"""Counts what an archive of Mastodon's holds, from its files alone: counts.py FOLDER [--unlisted-public].

Prints an object: who may see the posts of their author (`public`, `followers`), what is never
loaded, boosts by what becomes of them, and likes of posts that are there.
"""
import json
import os
import sys

PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


def visibility(to, cc, followers):
    if PUBLIC in to:
        return 3
    if PUBLIC in cc:
        return 2
    if followers in to:
        return 1
    return 0


def main():
    folder = sys.argv[1]
    unlisted_public = "--unlisted-public" in sys.argv[2:]

    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)

    followers = read("actor.json")["followers"]
    counts = dict(public=0, followers=0, direct=0, reposts=0, hiddenReposts=0, unknownOriginals=0, likes=0)
    there = {}
    boosts = []
    for item in read("outbox.json")["orderedItems"]:
        who = visibility(item["to"], item.get("cc", []), followers)
        if item["type"] == "Announce":
            boosts.append((item["object"], who))
        elif item["type"] == "Create":
            inner = item["object"]
            who = min(who, visibility(inner["to"], inner["cc"], followers))
            kind = "public" if who == 3 or (who == 2 and unlisted_public) else "followers" if who else "direct"
            counts[kind] += 1
            if who:
                there[inner["id"]] = kind
    for original, who in boosts:
        if who < (2 if unlisted_public else 3):
            counts["hiddenReposts"] += 1
        elif there.get(original) == "public":
            counts["reposts"] += 1
        else:
            counts["unknownOriginals"] += 1
    counts["likes"] = sum(liked in there for liked in read("likes.json")["orderedItems"])
    print(json.dumps(counts, sort_keys=True))


if __name__ == "__main__":
    main()
