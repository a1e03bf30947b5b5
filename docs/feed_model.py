#!/usr/bin/env python3
"""A model of home feeds, small enough to read, in which rules can be switched off to see what goes wrong.

    feed_model.py                  random worlds with all rules: compares each feed with its definition
    feed_model.py --without RULE   the same without one rule: prints the shortest story that goes wrong
    feed_model.py --rules          the rules, and how many of the worlds go wrong without each

Three people, timelines of three posts, pages of two: faults show early. chirp has the same rules, and more of
them (docs/architecture.md), but this model uses none of its code.
"""
import itertools
import random
import sys

RULES = {
    "pending": "a read includes posts that are not delivered yet",
    "unfollow": "a read leaves out posts by authors whom the reader no longer follows",
    "removed": "a read leaves out removed posts",
    "backfill": "a follow adds the author's earlier posts to the timeline",
    "deeper": "below the end of a timeline, a read continues in the authors' own posts",
    "once": "a post that is delivered twice is in the timeline once",
    "mark": "a read still fetches the posts that a former celebrity wrote as one",
    "guard": "a timeline is not stored if there were deliveries or follows while it was gathered",
    "cursor": "a page continues below the last post seen, not after a number of posts",
}
PEOPLE = ("mira", "tomas", "aurora")
CAP, PAGE, WORLDS, STEPS = 3, 2, 400, 40
TRIES = 15  # wrong worlds; the shortest story of them is printed
NEWEST = float("inf")


class Wrong(Exception):
    """A feed differs from its definition."""


class World:
    def __init__(self, without=None):
        self.without = without
        self.story = []                                # what happened, in words
        self.posts = []                                # authors; the n-th post has the id n, from 1
        self.removed = set()
        self.follows = {who: set() for who in PEOPLE}
        self.moves = {who: 0 for who in PEOPLE}        # number of follows so far
        self.delivered = 0                             # posts up to this id; later ones are pending
        self.timelines = {}                            # viewer -> (ids, complete from this id on)
        self.gathered = {}                             # timelines that are not stored yet
        self.celebrities = set()
        self.asked_below = {who: 0 for who in PEOPLE}  # author -> readers fetch posts below this id
        self.open = {}                                 # viewer -> (last id seen, posts seen)

    def on(self, rule):
        return rule != self.without

    def ids_of(self, author, start=1):
        return [n for n, who in enumerate(self.posts, 1) if who == author and n >= start]

    def sources(self, viewer):
        return self.follows[viewer] | {viewer}

    # ---- what a feed is

    def definition(self, viewer):
        """Posts by the viewer and by the authors they follow now, without removed ones, newest first."""
        authors = self.sources(viewer)
        return [n for n in range(len(self.posts), 0, -1) if self.posts[n - 1] in authors and n not in self.removed]

    # ---- how it is read

    def read(self, viewer, below=NEWEST, limit=99):
        everything = sorted(n for author in self.sources(viewer) for n in self.ids_of(author))
        entries, floor = self.timelines.get(viewer, ([], NEWEST))
        found = list(entries)
        if self.on("unfollow"):
            found = [n for n in found if n in everything]
        others = set()
        if self.on("pending"):
            others |= {n for n in everything if n > self.delivered and n >= floor}
        for author in self.sources(viewer):
            if self.asked_below[author] > floor:
                others |= set(self.ids_of(author, start=floor))
        if self.on("deeper") or viewer not in self.timelines:
            others |= {n for n in everything if n < floor}
        found += others - set(found)
        kept = [] if self.on("removed") else entries   # removed posts are only in timelines
        found = [n for n in found if n in kept or n not in self.removed]
        return sorted((n for n in found if n < below), reverse=True)[:limit]

    # ---- what happens; each returns its words, or None if it can't happen

    def post(self, author):
        self.posts.append(author)
        return f"{author} posts {len(self.posts)}"

    def remove(self, author):
        mine = [n for n in self.ids_of(author) if n not in self.removed]
        if mine:
            self.removed.add(mine[-1])
            return f"{author} removes {mine[-1]}"

    def follow(self, viewer, author):
        if viewer == author or author in self.follows[viewer]:
            return None
        self.follows[viewer].add(author)
        self.moves[viewer] += 1
        if viewer in self.timelines and self.on("backfill"):
            floor = self.timelines[viewer][1]
            self.put(viewer, [n for n in self.ids_of(author, start=floor) if n not in self.timelines[viewer][0]])
        return f"{viewer} follows {author}"

    def unfollow(self, viewer, author):
        if author in self.follows[viewer]:
            self.follows[viewer].remove(author)
            return f"{viewer} unfollows {author}"

    def put(self, viewer, ids):
        """Adds posts to a timeline, and cuts it to its newest."""
        entries, floor = self.timelines[viewer]
        entries = sorted(entries + ids, reverse=True)
        if len(entries) > CAP:
            entries = entries[:CAP]
            floor = entries[-1]
        self.timelines[viewer] = (entries, floor)

    def hand_out(self, number):
        author = self.posts[number - 1]
        if author in self.celebrities:
            return f"{number} is by a celebrity: readers will fetch it"
        for viewer, (entries, floor) in list(self.timelines.items()):
            if author in self.sources(viewer) and number >= floor:
                if number not in entries or not self.on("once"):
                    self.put(viewer, [number])
        return f"{number} is delivered"

    def deliver(self, _):
        if self.delivered < len(self.posts):
            self.delivered += 1
            return self.hand_out(self.delivered)

    def die(self, _):
        """The post is delivered, and the process dies before it records that."""
        if self.delivered < len(self.posts):
            return self.hand_out(self.delivered + 1) + ", and the process dies before it records that"

    def gather(self, viewer):
        if viewer in self.timelines:
            return None
        entries = self.definition(viewer)
        floor = entries[CAP - 1] if len(entries) > CAP else 0
        self.gathered[viewer] = (entries[:CAP], floor, len(self.posts), self.moves[viewer])
        return f"a timeline for {viewer} is gathered"

    def store(self, viewer):
        if viewer not in self.gathered:
            return None
        entries, floor, end, moves = self.gathered.pop(viewer)
        late = self.delivered > end or self.moves[viewer] != moves
        if viewer in self.timelines or (late and self.on("guard")):
            return None
        self.timelines[viewer] = (entries, floor)
        return f"the timeline of {viewer} is stored"

    def rise(self, author):
        if author not in self.celebrities:
            self.celebrities.add(author)
            self.asked_below[author] = NEWEST
            return f"{author} becomes a celebrity"

    def fall(self, author):
        if author in self.celebrities:
            self.celebrities.remove(author)
            self.asked_below[author] = len(self.posts) + 1 if self.on("mark") else 0
            return f"{author} is no longer a celebrity"

    def turn(self, viewer):
        """Opens a feed, or turns to its next page."""
        last, seen = self.open.get(viewer, (NEWEST, 0))
        page = self.read(viewer, last, PAGE) if self.on("cursor") else self.read(viewer)[seen:seen + PAGE]
        words = f"{viewer} {'turns the page' if seen else 'opens the feed'}"
        self.compare(words, page, [n for n in self.definition(viewer) if n < last][:PAGE])
        if len(page) < PAGE:
            self.open.pop(viewer, None)
        else:
            self.open[viewer] = (page[-1], seen + PAGE)
        return f"{words}: {listed(page)}"

    # ---- whether it is right

    def compare(self, words, got, wanted):
        if got != wanted:
            raise Wrong(f"{words}: {listed(got)}. Expected: {listed(wanted)}.")

    def step(self, action):
        words = getattr(self, action[0])(*action[1:])
        if words:
            self.story.append(words)
        for viewer in PEOPLE:
            self.compare(f"the feed of {viewer}", self.read(viewer), self.definition(viewer))


def listed(ids):
    return ", ".join(map(str, ids)) or "nothing"


# ---- random worlds

ONE = ("post", "post", "post", "remove", "deliver", "deliver", "deliver", "die", "gather", "store", "rise", "fall", "turn")
TWO = ("follow", "follow", "unfollow")


def drawn(seed):
    """The actions of a world. The same in every version of Python, which choice() does not promise."""
    rng = random.Random(seed)
    pick = lambda things: things[int(rng.random() * len(things))]
    actions = []
    for _ in range(STEPS):
        name = pick(ONE + TWO)
        actions.append((name,) + tuple(pick(PEOPLE) for _ in range(2 if name in TWO else 1)))
    return actions


def wrong_story(actions, without):
    """The story of a world until it goes wrong, and the fault; None if it does not go wrong."""
    world = World(without)
    for n, action in enumerate(actions, 1):
        try:
            world.step(action)
        except Wrong as wrong:
            return actions[:n], world.story, str(wrong)
    return None


def shortened(actions, without):
    """The actions without steps that are not needed for the fault."""
    before = None
    while before != actions:                           # again, because a step may no longer be needed
        before = actions
        at = len(actions)
        while at > 0:
            at -= 1
            shorter = wrong_story(actions[:at] + actions[at + 1:], without)
            if shorter:
                actions = shorter[0]
                at = min(at, len(actions))
    return actions


def wrong_worlds(without):
    """The actions of each, up to where it goes wrong."""
    worlds = (wrong_story(drawn(seed), without) for seed in range(WORLDS))
    return (world[0] for world in worlds if world)


def all_rules():
    for actions in wrong_worlds(None):
        story(shortened(actions, None), None)
        return 1
    print(f"{WORLDS} worlds of {STEPS} steps with all {len(RULES)} rules: every feed is right.")
    return 0


def story(actions, without):
    _, lines, wrong = wrong_story(actions, without)
    for line in lines:
        print(f"- {line}")
    print(f"WRONG: {wrong}")


def easy_to_follow(actions):
    """Sorts by length, then by the number of steps while a timeline is gathered."""
    between = sum(one[0] == "gather" and after[0] != "store" for one, after in zip(actions, actions[1:]))
    return len(actions), between


def without_rule(rule):
    stories = [shortened(actions, rule) for actions in itertools.islice(wrong_worlds(rule), TRIES)]
    if not stories:
        sys.exit(f"Without the rule {rule}, nothing went wrong in {WORLDS} worlds.")
    print(f"Without: {RULES[rule]}.")
    story(min(stories, key=easy_to_follow), rule)
    return 0


def each_rule():
    for rule, words in RULES.items():
        print(f"{rule:9}{len(list(wrong_worlds(rule))):5} of {WORLDS} worlds go wrong without: {words}")
    return 0


def main(words):
    if not words:
        return all_rules()
    if words == ["--rules"]:
        return each_rule()
    if len(words) == 2 and words[0] == "--without" and words[1] in RULES:
        return without_rule(words[1])
    sys.exit(f"{__doc__}\nRULE is one of: {', '.join(RULES)}.")


sys.exit(main(sys.argv[1:]))
