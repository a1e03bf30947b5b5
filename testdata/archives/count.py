"""What a load of one of these archives is to store, counted from its files alone: count.py FOLDER."""
import csv
import glob
import json
import os
import re
import sys

root = sys.argv[1]


def objects(pattern):
    for path in sorted(glob.glob(os.path.join(root, pattern))):
        with open(path, encoding="utf-8") as file:
            yield from json.loads(file.read().split("=", 1)[1])


def inner(objects_):
    return [next(iter(o.values())) for o in objects_]


counts = dict.fromkeys(
    ["read", "stored", "comments", "reposts", "likes", "follows", "relations", "files"], 0)
if os.path.exists(os.path.join(root, "data/account.js")):
    own = inner(objects("data/account.js"))[0]["accountId"]
    tweets = inner(objects("data/tweets*.js"))
    files = [os.path.basename(p) for p in glob.glob(os.path.join(root, "data/tweets_media/*"))]
    known = {t["id"]: t for t in tweets}
    good = [f for f in files
            if open(os.path.join(root, "data/tweets_media", f), "rb").read(4) == b"\x89PNG"]
    for i, t in known.items():
        bare = not any(f.startswith(i + "-") for f in good)
        counts["comments"] += t.get("in_reply_to_status_id") in known and bare
    likes = [like["tweetId"] for like in inner(objects("data/like.js"))]
    ties = {name: [o["accountId"] for o in inner(objects(f"data/{name}.js"))]
            for name in ("following", "follower", "block", "mute")}
    counts["likes"] = sum(i in known for i in likes)
    counts["follows"] = sum(i not in [own] + ties["block"]
                            for i in ties["following"] + ties["follower"])
    counts["relations"] = len(ties["block"] + ties["mute"])
    counts["files"] = len(good)
    counts["read"] = len(tweets) + len(likes) + sum(len(t) for t in ties.values())
    posts = len(known)
elif glob.glob(os.path.join(root, "data/js/tweets/*.js")):
    tweets = list(objects("data/js/tweets/*.js"))
    known = {t["id"] for t in tweets}
    inside = {t["retweeted_status"]["id"] for t in tweets if "retweeted_status" in t}
    counts["comments"] = sum(t.get("in_reply_to_status_id") in known for t in tweets)
    counts["reposts"] = sum("retweeted_status" in t for t in tweets)
    counts["read"] = len(tweets)
    posts = len(known | inside)
else:
    with open(os.path.join(root, "tweets.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    known = {r["tweet_id"] for r in rows}
    counts["comments"] = sum(r["in_reply_to_status_id"] in known for r in rows)
    counts["reposts"] = sum(r["retweeted_status_id"] in known for r in rows)
    counts["read"] = len(rows)
    posts = len(known)
counts["stored"] = posts + counts["likes"] + counts["follows"] + counts["relations"]
print(", ".join(f"{name} {n}" for name, n in counts.items()))
