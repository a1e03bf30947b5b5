#!/usr/bin/env python3
"""What home feeds over the real data must be, computed from the raw files alone.

A feed is every post by somebody and by whom they follow, newest first; of posts of the same second
the one loaded later is newer. Nothing of chirp is used or looked at. Needs python3 and zstd.

  expected_feeds.py feeds DATA    a line for each post, then one for each of some viewers:
                                    post <source id> <text, \\ and newline and tab escaped>
                                    feed <source id of the viewer> <source ids, newest first>
  expected_feeds.py higgs DATA    the edges as chirp is to read them, one "A B" a line
  expected_feeds.py ego DATA      the same, both directions
"""

import gzip
import html
import json
import os
import re
import subprocess
import sys
import tarfile
import unicodedata
from datetime import datetime, timezone

VIEWERS = 50
ENTITY = re.compile(r"&#?\w+;")


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")


def text_of(tweet):
    """A retweet's own text is cut short; the whole one is in what it repeats."""
    text = (tweet.get("retweeted_status") or {}).get("text") or tweet["text"]
    text = ENTITY.sub(lambda match: html.unescape(match[0]), text)
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc")
    return unicodedata.normalize("NFC", text)


def posts_of(data):
    """(seconds, place in the file, source id, author, text) of every post, as the archive has them."""
    archive = os.path.join(data, "posts", "congress-tweets-2016.dev.tar.zst")
    unpacked = subprocess.Popen(["zstd", "-dcq", "--long=27", archive], stdout=subprocess.PIPE)
    posts = []
    with tarfile.open(fileobj=unpacked.stdout, mode="r|") as tar:
        for member in tar:
            if "/tweets/" not in member.name or not member.isfile():
                continue
            for tweet in json.load(tar.extractfile(member)):
                written = datetime.strptime(tweet["created_at"], "%a %b %d %H:%M:%S +0000 %Y")
                seconds = int(written.replace(tzinfo=timezone.utc).timestamp())
                posts.append((seconds, len(posts), int(tweet["id_str"]),
                              int(tweet["user"]["id_str"]), text_of(tweet)))
    if unpacked.wait() != 0:
        sys.exit("zstd failed")
    return posts


def follows_of(data):
    rows = lines_of(os.path.join(data, "graphs", "timme-purep", "friend_list.csv.gz"))[1:]
    follows = {}
    for row in rows:
        if row:
            follower, followee = row.split("\t")[:2]
            if follower != followee:
                follows.setdefault(int(follower), set()).add(int(followee))
    return follows


def print_feeds(data):
    posts = posts_of(data)
    follows = follows_of(data)
    by_author = {}
    for post in posts:
        by_author.setdefault(post[3], []).append(post)
    for _, _, source, _, text in posts:
        escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        print(f"post {source} {escaped}")
    writing = sorted(author for author in by_author if author in follows)
    for viewer in writing[:: max(1, len(writing) // VIEWERS)][:VIEWERS]:
        feed = list(by_author[viewer])
        for followee in follows[viewer] - {viewer}:
            feed += by_author.get(followee, [])
        feed.sort(reverse=True)
        print("feed", viewer, *(post[2] for post in feed))


def print_higgs(data):
    path = os.path.join(data, "graphs", "higgs-social_network.prefix.edgelist.gz")
    for line in lines_of(path)[:-1]:  # the last one is cut off
        print(line)


def print_ego(data):
    for line in lines_of(os.path.join(data, "graphs", "ego-twitter-undirected.jlg"))[1:]:
        if line:
            one, other = line.split(",")
            print(one, other)
            print(other, one)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("feeds", "higgs", "ego"):
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    {"feeds": print_feeds, "higgs": print_higgs, "ego": print_ego}[sys.argv[1]](sys.argv[2])


if __name__ == "__main__":
    main()
