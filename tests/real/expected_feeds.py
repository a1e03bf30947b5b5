#!/usr/bin/env python3
"""What home feeds over the real data must be, computed from the raw files alone.

A retweet is a repost and a reply a comment where the other post is in the set or came inside of a
retweet; whatever else names another one is a plain post, and so is a retweet of a comment. A feed is
every post and repost by somebody and by whom they follow. Nothing of chirp is used or looked at.
Needs python3 and zstd.

  expected_feeds.py feeds DATA    a line for each tweet, then one for each of some viewers:
                                    post <source id> <seconds> <text, \\ and newline and tab escaped>
                                    repost <source id> <seconds> <source id of the original>
                                    comment <source id> <source id of the post> <of the parent, or 0>
                                    again <source id> <source id of the original>: reposted before
                                    feed <source id of the viewer> <source ids of entries>
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
    """A retweet that can't be a repost keeps its own words, cut short and with RT @… before them."""
    text = ENTITY.sub(lambda match: html.unescape(match[0]), tweet["text"])
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc")
    return unicodedata.normalize("NFC", text)


class Tweet:
    def __init__(self, tweet):
        written = datetime.strptime(tweet["created_at"], "%a %b %d %H:%M:%S +0000 %Y")
        retweeted = tweet.get("retweeted_status")
        self.id = int(tweet["id_str"])
        self.seconds = int(written.replace(tzinfo=timezone.utc).timestamp())
        self.author = int(tweet["user"]["id_str"])
        self.text = text_of(tweet)
        self.repeats = int(retweeted["id_str"]) if retweeted else None
        self.answers = int(tweet.get("in_reply_to_status_id_str") or 0) or None
        self.original = Tweet(retweeted) if retweeted else None


def tweets_of(data):
    """Every tweet of the archive and every one inside of a retweet, by id."""
    archive = os.path.join(data, "posts", "congress-tweets-2016.dev.tar.zst")
    unpacked = subprocess.Popen(["zstd", "-dcq", "--long=27", archive], stdout=subprocess.PIPE)
    tweets = {}
    inside = []
    with tarfile.open(fileobj=unpacked.stdout, mode="r|") as tar:
        for member in tar:
            if "/tweets/" not in member.name or not member.isfile():
                continue
            for tweet in map(Tweet, json.load(tar.extractfile(member))):
                tweets.setdefault(tweet.id, tweet)
                if tweet.original:
                    inside.append(tweet.original)
    if unpacked.wait() != 0:
        sys.exit("zstd failed")
    for tweet in inside:
        tweets.setdefault(tweet.id, tweet)
    return tweets


class Kinds:
    """What each tweet is: ("post",), ("repost", original), ("comment", post, parent or 0)."""

    def __init__(self, tweets):
        self.tweets = tweets
        self.known = {}
        for tweet in sorted(tweets.values(), key=lambda tweet: tweet.id):  # the older ones first
            self.known[tweet.id] = self.of(tweet)

    def of(self, tweet):
        if tweet.repeats is not None:
            kind = self.known[tweet.repeats]
            if kind[0] == "comment":
                return ("post",)
            return ("repost", kind[1] if kind[0] == "repost" else tweet.repeats)
        kind = self.known.get(tweet.answers)
        if kind is None:
            return ("post",)
        if kind[0] == "comment":
            return ("comment", kind[1], tweet.answers)
        return ("comment", kind[1] if kind[0] == "repost" else tweet.answers, 0)


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
    tweets = tweets_of(data)
    kinds = Kinds(tweets).known
    follows = follows_of(data)
    by_author = {}
    reposted = {}  # by whom and of what: the one that comes first in the files
    for tweet in tweets.values():
        if kinds[tweet.id][0] == "repost":
            reposted.setdefault((tweet.author, kinds[tweet.id][1]), tweet.id)
    for tweet in sorted(tweets.values(), key=lambda tweet: tweet.id):
        kind = kinds[tweet.id]
        escaped = tweet.text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        if kind[0] == "post":
            print("post", tweet.id, tweet.seconds, escaped)
        elif kind[0] == "repost":
            if reposted[tweet.author, kind[1]] != tweet.id:  # once by a user
                print("again", tweet.id, kind[1])
                continue
            print("repost", tweet.id, tweet.seconds, kind[1])
        else:
            print("comment", tweet.id, kind[1], kind[2])
        if kind[0] != "comment":
            by_author.setdefault(tweet.author, []).append(tweet.id)
    writing = sorted(author for author in by_author if author in follows)
    for viewer in writing[:: max(1, len(writing) // VIEWERS)][:VIEWERS]:
        authors = follows[viewer] | {viewer}
        print("feed", viewer, *(entry for author in authors for entry in by_author.get(author, [])))


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
