#!/usr/bin/env python3
"""What must be counted after loading the real events over their graphs, computed from the raw files.

A's i-th interaction of a kind with B falls on B's i-th oldest post. Nobody has posts of their own
there, so all of them are placeholders, each as old as the first event that needs it. A mention is a
post by A. Rows about oneself or about others than the graph's users are passed over. Nothing of
chirp is used or looked at.

  expected_counts.py purep DATA    the four PureP lists over the PureP graph
  expected_counts.py higgs DATA    the Higgs activity over the prefix of the Higgs graph
    total <interactions> <about oneself> <of or with others>
    user <id> <posts, reposts and mentions among them>
    post <author> <i> <likes> <reposts> <replies>
  expected_counts.py feeds DATA    feeds over the Higgs data, of who follows many who reposted the
                                   most reposted post, newest first
    viewer <id>
    entry <seconds> post <author> <i> | repost <reposter> <author> <i> | mention <author> <of>
"""

import gzip
import os
import sys
from collections import Counter, defaultdict

VIEWERS = 12
KINDS = {"RT": "repost", "RE": "reply", "MT": "mention"}


def rows_of(path, separator):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n").split(separator)


def purep(data):
    """The graph's users, and (A, B, kind, seconds or None) of every interaction."""
    folder = os.path.join(data, "graphs", "timme-purep")

    def table(name):
        rows = rows_of(os.path.join(folder, name + "_list.csv.gz"), "\t")
        next(rows)
        return rows

    users = set()
    for follower, followee, _ in table("friend"):
        if follower != followee:
            users.update((int(follower), int(followee)))
    events = []
    for name, kind in (("favorite", "like"), ("retweet", "repost"), ("reply", "reply"),
                       ("mention", "mention")):
        for a, b, count in table(name):
            events += [(int(a), int(b), kind, None)] * int(count)
    return users, events


def higgs_follows(data):
    path = os.path.join(data, "graphs", "higgs-social_network.prefix.edgelist.gz")
    with gzip.open(path, "rt") as file:
        lines = file.read().split("\n")[:-1]  # the last one is cut off
    return [tuple(map(int, line.split())) for line in lines]


def higgs(data):
    users = set()
    for follower, followee in higgs_follows(data):
        if follower != followee:
            users.update((follower, followee))
    path = os.path.join(data, "events", "higgs-activity_time.txt.gz")
    return users, [(int(a), int(b), KINDS[kind], int(seconds))
                   for a, b, seconds, kind in rows_of(path, " ")]


def fallen(users, events):
    """Every interaction that counts, with its ordinal; how many are about oneself, and others."""
    seen = Counter()
    kept = []
    oneself = others = 0
    for a, b, kind, seconds in events:
        if a == b:
            oneself += 1
        elif a not in users or b not in users:
            others += 1
        else:
            seen[a, b, kind] += 1
            kept.append((a, b, kind, seconds, seen[a, b, kind]))
    return kept, oneself, others


def print_counts(users, events):
    kept, oneself, others = fallen(users, events)
    print("total", len(kept), oneself, others)
    posts = defaultdict(Counter)
    written = Counter()
    for a, b, kind, _, ordinal in kept:
        if kind == "mention":
            written[a] += 1
            continue
        posts[b, ordinal][kind] += 1
        if kind == "repost":
            written[a] += 1
    for author, _ in posts:
        written[author] += 1
    for user in sorted(users):
        print("user", user, written[user])
    for (author, ordinal), count in sorted(posts.items()):
        print("post", author, ordinal, count["like"], count["repost"], count["reply"])


def print_feeds(data):
    users, events = higgs(data)
    kept, _, _ = fallen(users, events)
    entries = defaultdict(list)  # by author
    made = set()
    reposters = defaultdict(set)
    for a, b, kind, seconds, ordinal in kept:
        if kind == "mention":
            entries[a].append((seconds, f"mention {a} {b}"))
            continue
        if (b, ordinal) not in made:
            made.add((b, ordinal))
            entries[b].append((seconds, f"post {b} {ordinal}"))
        if kind == "repost":
            entries[a].append((seconds, f"repost {a} {b} {ordinal}"))
            reposters[b, ordinal].add(a)
    cascade = max(reposters.values(), key=len)
    follows = defaultdict(set)
    for follower, followee in higgs_follows(data):
        if follower != followee:
            follows[follower].add(followee)
    viewers = sorted(follows, key=lambda user: (-len(follows[user] & cascade), user))[:VIEWERS]
    for viewer in viewers:
        print("viewer", viewer)
        feed = [entry for author in follows[viewer] | {viewer} for entry in entries[author]]
        feed.sort(key=lambda entry: -entry[0])
        for seconds, words in feed:
            print("entry", seconds, words)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("purep", "higgs", "feeds"):
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    what, data = sys.argv[1:]
    if what == "feeds":
        print_feeds(data)
    else:
        print_counts(*(purep if what == "purep" else higgs)(data))


if __name__ == "__main__":
    main()
