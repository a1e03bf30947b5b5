#include <algorithm>

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "tests/support/naive_world.h"
#include "tests/support/source_keys.h"
#include "tests/support/storage_compare.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;

constexpr Relation kRelations[] = {Relation::kBlock, Relation::kMute, Relation::kRepostsOff};
constexpr std::uint64_t kSourcesAsked = 80;
constexpr std::uint64_t kMediaAsked = 6;
constexpr std::uint32_t kPage = 2;

std::string text_of(const Event& event) {
  return fmt::format("{} {} actor {} other {} post {} rows {} original {} comment {} parent {}",
                     event.sequence.value, events::name(event.topic), event.actor.value,
                     event.other.value, event.post.value, event.rows, event.original.value,
                     event.comment.value, event.parent.value);
}

template <class Map>
auto values_of(const Map& map) {
  std::vector<typename Map::mapped_type> values;
  for (const auto& [key, value] : map) values.push_back(value);
  return values;
}

// Where the log begins among events whose order is the store's, any of them may have gone.
std::vector<Event> untorn(std::vector<Event> log) {
  const auto fixed = std::find_if(log.begin(), log.end(), [](const Event& event) {
    return event.topic != events::Topic::kTierChanged && event.topic != events::Topic::kLoadBatch;
  });
  log.erase(log.begin(), fixed);
  return log;
}

class Comparison {
 public:
  Comparison(const NaiveWorld& world, const Storage& store)
      : world_(world), store_(store), snapshot_(store.snapshot()), state_(snapshot_->state()) {
    for (const auto& [user, card] : world.cards) users_.push_back(user);
    for (const auto& [id, post] : world.posts) contents_.push_back(content_of(id));
    for (const auto& [id, row] : world.comments) contents_.push_back(content_of(id));
    for (const ContentId id : world.remains) contents_.push_back(id);
  }

  std::vector<std::string> run() {
    state();
    cards();
    posts();
    reposts();
    follows();
    relations();
    reactions();
    comments();
    user_counters();
    content_counters();
    readers();
    removals();
    log();
    return std::move(found_);
  }

 private:
  template <class... Args>
  void expect(bool same, fmt::format_string<Args...> format, Args&&... args) {
    if (!same) found_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  void same(const char* what, std::uint64_t wanted, std::uint64_t is) {
    expect(wanted == is, "{}: {}, not {}", what, is, wanted);
  }

  void state() {
    same("generation", world_.generation, state_.generation);
    same("P0", world_.push_from_all.value, state_.push_from_all.value);
    same("last id", world_.last_id.value, state_.last_id.value);
    const Sequence first = world_.log.empty() ? world_.log_end : world_.log.front().sequence;
    same("first event", first.value, state_.log_first.value);
    same("end of the log", world_.log_end.value, state_.log_end.value);
    same("counters' offset", world_.counters.value, state_.counters.value);
    same("notifications' offset", world_.told.value, state_.notifications.value);
    same("trends' offset", world_.trends.value, state_.trends.value);
    same("fan-out's offset", world_.fan_out.value, state_.fan_out.value);
    same("relations", world_.relations.size(), state_.relations);
    same("removed posts", reads::unfinished_post_removals(*snapshot_).size(), state_.post_removals);
    expect(world_.passed == state_.passed, "the time that has passed");
    expect(world_.settings == state_.settings, "settings");
    auto rows = snapshot_->table_rows();
    same("rows of cards", world_.cards.size(), rows["cards"]);
    same("rows of posts", world_.posts.size(), rows["posts"]);
    same("rows of reactions", world_.reactions.size(), rows["reactions"]);
    same("rows of comments", world_.comments.size(), rows["comments"]);
    same("rows of follows", world_.follows.size(), rows["follows"]);
    same("rows of events", world_.log.size(), rows["events"]);
  }

  void cards() {
    expect(reads::rows_above<tables::Cards>(*snapshot_, {kNobody}, kAll) == values_of(world_.cards),
           "cards");
    for (const auto& [user, card] : world_.cards) {
      expect(snapshot_->find(tables::UserIds::Key{card.id}) == user, "number of {}", user.value);
    }
    const std::vector<SourceKey> asked = drawn_sources(kSourcesAsked);
    std::vector<std::optional<UserNumber>> numbers;
    std::vector<std::optional<LoadedContent>> contents;
    for (const SourceKey& source : asked) {
      numbers.emplace_back();
      for (const auto& [user, card] : world_.cards) {
        if (world_.kept(user) && card.source == source) numbers.back() = user;
      }
      contents.push_back(world_.content_of_source(source));
    }
    expect(reads::numbers_of(*store_.snapshot(), asked) == numbers, "users' source ids");
    expect(reads::contents_of(*store_.snapshot(), asked) == contents, "source ids");
  }

  void posts() {
    expect(reads::rows_above<tables::Posts>(*snapshot_, {kBelowAllPosts}, kAll) ==
               values_of(world_.posts),
           "posts");
    std::map<UserNumber, std::vector<Entry>> logs;
    std::map<UserNumber, std::vector<Entry>> shared;
    std::map<UserNumber, std::vector<Entry>> open;
    std::set<MediaId> named;
    for (const auto& [id, post] : world_.posts) {
      const bool there = world_.kept(post.author);
      expect(snapshot_->post(id) == (there ? std::optional(post) : std::nullopt), "post {}",
             id.value);
      if (there) {
        logs[post.author].push_back({id, post.author});
        if (post.privacy != Privacy::kPrivate) shared[post.author].push_back({id, post.author});
        if (post.privacy == Privacy::kPublic) open[post.author].push_back({id, post.author});
      }
      for (const Medium& medium : post.media) named.insert(medium.upload);
    }
    for (const UserNumber user : users_) {
      expect(snapshot_->author_entries({&user, 1}, {}, Direction::kUp, kAll) == logs[user],
             "posts by {}", user.value);
      const auto of = [&](const LogsOf& wanted) {
        return snapshot_->author_entries(wanted, {}, Direction::kUp, kAll);
      };
      const std::span<const UserNumber> author(&user, 1);
      expect(of({author, kSharedLevels}) == shared[user], "posts by {} for followers", user.value);
      expect(of({author, Levels(Privacy::kPublic)}) == open[user], "public posts by {}",
             user.value);
      expect(of({author, Levels(Privacy::kPublic), user}) == logs[user], "own posts of {}",
             user.value);
    }
    for (std::uint64_t upload = 1; upload < kMediaAsked; ++upload) {
      const MediaId id{upload};
      expect(reads::media_named(*snapshot_, {&id, 1}).front() == named.contains(id), "upload {}",
             upload);
    }
  }

  void reposts() {
    std::map<PostId, std::map<UserNumber, Entry>> wanted;
    for (const ContentId content : contents_) wanted[PostId{content.value}];
    for (const auto& [id, post] : world_.posts) {
      if (post.is_repost()) wanted[post.original][post.author] = {id, post.author};
    }
    std::uint64_t rows = 0;
    for (const auto& [original, by_user] : wanted) {
      rows += by_user.size();
      expect(reads::reposts(*snapshot_, original, kNobody, kAll) == values_of(by_user),
             "reposts of {}", original.value);
      for (const UserNumber user : users_) {
        expect(snapshot_->find(tables::RepostsOf::Key{original, user}) ==
                   world_.repost_by(user, original),
               "whether {} has reposted {}", user.value, original.value);
      }
    }
    same("rows of reposts", rows, snapshot_->table_rows()["reposts"]);
  }

  void follows() {
    std::map<UserNumber, std::vector<Edge>> following;
    std::map<UserNumber, std::vector<Edge>> followers;
    for (const auto& [edge, since] : world_.follows) {
      following[edge.first].push_back({edge.second, since});
      followers[edge.second].push_back({edge.first, since});
    }
    for (const UserNumber user : users_) {
      expect(reads::following(*snapshot_, user, kNobody, kAll).edges == following[user],
             "whom {} follows", user.value);
      expect(reads::followers(*snapshot_, user, kNobody, kAll).edges == followers[user],
             "who follows {}", user.value);
      for (const UserNumber other : users_) {
        const auto edge = world_.follows.find({user, other});
        const std::optional<Time> since = reads::follows(*snapshot_, user, other);
        const bool same = edge == world_.follows.end() ? !since : since == edge->second;
        expect(same, "since when {} follows {}", user.value, other.value);
      }
    }
  }

  void relations() {
    for (const UserNumber user : users_) {
      for (const Relation relation : kRelations) {
        std::vector<Edge> wanted;
        for (const auto& [key, since] : world_.relations) {
          const auto& [from, kind, to] = key;
          if (from == user && kind == relation) wanted.push_back({to, since});
        }
        expect(reads::related(*snapshot_, user, relation, kNobody, kAll).edges == wanted,
               "relations {} of {}", static_cast<int>(relation), user.value);
      }
      std::vector<ViewerRelation> wanted;
      for (const UserNumber other : users_) {
        wanted.push_back({world_.relations.contains({user, Relation::kBlock, other}),
                          world_.relations.contains({other, Relation::kBlock, user}),
                          world_.relations.contains({user, Relation::kMute, other}),
                          world_.relations.contains({user, Relation::kRepostsOff, other})});
      }
      expect(snapshot_->bonds(user, users_) == wanted, "bonds of {}", user.value);
    }
  }

  void reactions() {
    std::vector<ReactionRow> wanted;
    std::map<ContentId, std::vector<Reaction>> by_content;
    for (const auto& [key, row] : world_.reactions) {
      wanted.push_back({key.first, row.reaction});
      by_content[key.first].push_back(row.reaction);
    }
    expect(reads::reactions_above(*snapshot_, {}, kNobody, kAll) == wanted, "reactions");
    for (const ContentId content : contents_) {
      expect(
          reads::reactions(*snapshot_, content, kNobody, std::nullopt, kAll) == by_content[content],
          "reactions to {}", content.value);
    }
    for (const UserNumber user : users_) {
      std::vector<std::optional<Reaction>> own;
      for (const ContentId content : contents_) {
        const auto found = world_.reactions.find({content, user});
        own.push_back(found == world_.reactions.end() ? std::nullopt
                                                      : std::optional(found->second.reaction));
      }
      expect(reads::reactions_of(*snapshot_, user, contents_) == own, "reactions of {}",
             user.value);
      expect(reads::recent_partners(*snapshot_, user, kAll) == world_.partners(user),
             "recent partners of {}", user.value);
    }
  }

  void comments() {
    std::vector<Comment> wanted;
    std::map<std::pair<PostId, CommentId>, std::vector<CommentId>> threads;
    for (const auto& [id, row] : world_.comments) {
      wanted.push_back(row.comment);
      threads[{row.comment.post, row.comment.parent}].push_back(id);
      threads[{row.comment.post, id}];
      expect(snapshot_->find(tables::Comments::Key{id}) == row.comment, "comment {}", id.value);
    }
    expect(reads::rows_above<tables::Comments>(*snapshot_, {kNoComment}, kAll) == wanted,
           "comments");
    for (const auto& [place, replies] : threads) {
      expect(reads::thread(*snapshot_, place.first, place.second, kNoComment, Direction::kUp,
                           kAll) == replies,
             "thread of {} under {}", place.second.value, place.first.value);
    }
  }

  void user_counters() {
    auto rows = world_.user_rows();
    auto pending = world_.pending_users(world_.log_end);
    std::map<UserNumber, UserCounters> stored;
    for (const auto& [user, counters] : reads::counters_above(*snapshot_, kNobody, kAll)) {
      stored[user] = counters;
    }
    std::vector<feed::AuthorMark> marks;
    for (const auto& [user, mark] : world_.marks) {
      if (world_.kept(user)) marks.push_back(mark);
    }
    for (const UserNumber user : users_) {
      if (!world_.kept(user)) continue;
      const UserCounters all = rows[user];
      const UserCounters late = pending[user];
      const UserCounters wanted{all.followers - late.followers, all.following - late.following,
                                all.posts - late.posts};
      expect(snapshot_->counters({&user, 1}).front() == all, "counters of {}", user.value);
      expect(stored[user] == wanted, "stored counters of {}", user.value);
      const auto mark = world_.marks.find(user);
      expect(snapshot_->find(tables::Marks::Key{user}) ==
                 (mark == world_.marks.end() ? std::nullopt : std::optional(mark->second)),
             "mark of {}", user.value);
    }
    auto found = reads::rows_above<tables::Marks>(*snapshot_, {kNobody}, kAll);
    std::erase_if(found, [&](const auto& mark) { return !world_.kept(mark.author); });
    expect(found == marks, "marks");
  }

  void content_counters() {
    auto rows = world_.content_rows();
    for (const ContentId content : contents_) {
      expect(snapshot_->content_counters({&content, 1}).front() == rows[content],
             "counters of content {}", content.value);
    }
    for (const auto& [content, late] : world_.pending_contents(world_.log_end)) {
      rows[content] -= late;
    }
    std::vector<ContentDelta> stored;
    for (const auto& [content, counters] : rows) {
      if (counters != ContentCounters{}) stored.push_back({content, counters});
    }
    expect(reads::content_counters_above(*snapshot_, {}, kAll) == stored,
           "stored counters of contents");
  }

  void readers() {
    std::vector<events::Notification> all;
    for (const auto& [user, kept] : world_.notifications) {
      for (const auto& [sequence, one] : kept) all.push_back(one);
    }
    expect(
        reads::rows_above<tables::Notifications>(*snapshot_, {kNobody, Sequence{0}}, kAll) == all,
        "notifications");
    same("rows of notifications", all.size(), snapshot_->table_rows()["notifications"]);
    const Sequence middle{world_.log_end.value / 2};
    for (const UserNumber user : users_) {
      std::vector<events::Notification> page;
      for (auto one = all.rbegin(); one != all.rend() && page.size() < kPage; ++one) {
        if (one->user == user && one->sequence < middle) page.push_back(*one);
      }
      expect(reads::notifications(*snapshot_, user, middle, kPage) == page,
             "notifications of {} before {}", user.value, middle.value);
      const auto reading = world_.reading.find(user);
      expect(reads::reading(*snapshot_, user) ==
                 (reading == world_.reading.end() ? ReadingMarks{} : reading->second),
             "how far {} has read", user.value);
    }
    std::vector<TaggedPost> tagged;
    for (const auto& [id, post] : world_.tags) tagged.insert(tagged.begin(), post);
    expect(reads::tagged_posts(*snapshot_, kAboveAllPosts, kAll) == tagged, "hashtags");
    expect(reads::oldest_tagged_post(*snapshot_) ==
               (tagged.empty() ? std::nullopt : std::optional(tagged.back().post)),
           "the oldest post with a hashtag");
    if (tagged.size() > kPage) {
      const std::vector page(tagged.begin() + 1, tagged.begin() + 1 + kPage);
      expect(reads::tagged_posts(*snapshot_, tagged.front().post, kPage) == page,
             "hashtags below the newest post");
    }
    std::optional<Time> oldest;
    for (const auto& [key, use] : world_.keys)
      oldest = std::min(oldest.value_or(use.first), use.first);
    expect(snapshot_->oldest_key() == oldest, "the oldest key");
  }

  void removals() {
    const std::vector<UserNumber> leaving(world_.leaving.begin(), world_.leaving.end());
    expect(reads::unfinished_removals(*snapshot_) == leaving, "users who leave");
    const std::vector<ContentId> remains(world_.remains.begin(), world_.remains.end());
    expect(reads::unfinished_post_removals(*snapshot_) == remains, "what has something left of it");
    for (const UserNumber user : users_) {
      if (world_.kept(user) || world_.leaving.contains(user)) continue;
      for (const std::string_view trace : snapshot_->traces_of(user)) {
        expect(false, "{} of {}, who is gone", trace, user.value);
      }
    }
  }

  void log() {
    const auto is = settled(untorn(reads::events(*snapshot_, Sequence{1}, kAll)));
    const auto wanted = settled(untorn(world_.log));
    if (is == wanted) return;
    const auto at = std::mismatch(is.begin(), is.end(), wanted.begin(), wanted.end());
    expect(false, "event [{}], not [{}]", at.first == is.end() ? "none" : text_of(*at.first),
           at.second == wanted.end() ? "none" : text_of(*at.second));
  }

  const NaiveWorld& world_;
  const Storage& store_;
  std::unique_ptr<Snapshot> snapshot_;
  StoreState state_;
  std::vector<UserNumber> users_;
  std::vector<ContentId> contents_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> differences(const NaiveWorld& world, const Storage& store) {
  return Comparison(world, store).run();
}

}  // namespace chirp::test
