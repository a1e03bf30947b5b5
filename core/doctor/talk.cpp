// Reactions and comments: complete threads, and counters that match the rows.
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/ports/reads.h"
#include "core/rules/row_problems.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

template <class Visit>
std::uint64_t for_each_reaction(Walk& walk, Visit visit) {
  std::uint64_t count = 0;
  ReactionRow last;
  for (;;) {
    const auto rows =
        reads::reactions_above(walk.snapshot(), last.content, last.reaction.user, kBlock);
    if (rows.empty()) return count;
    visit(std::span(rows));
    count += rows.size();
    last = rows.back();
    walk.rest(rows.size());
  }
}

template <class Visit>
std::uint64_t for_each_comment(Walk& walk, Visit visit) {
  std::uint64_t count = 0;
  CommentId after = kNoComment;
  for (;;) {
    const auto comments = reads::rows_above<tables::Comments>(walk.snapshot(), {after}, kBlock);
    if (comments.empty()) return count;
    visit(std::span(comments));
    count += comments.size();
    after = comments.back().id;
    walk.rest(comments.size());
  }
}

// Rows of ranges read at once; the last range may exceed it.
constexpr std::uint64_t kRangeRows = 50'000;

// Calls `visit` with the index of each range and each of its rows.
template <class T, class Visit>
void for_ranges(const RowReader& rows, std::span<const KeyRange<T>> wanted, Visit visit) {
  const TableReader<T> table(rows);
  for (std::size_t at = 0; at < wanted.size();) {
    const auto found = table.ranges(wanted.subspan(at), Direction::kUp, kBlock, kRangeRows);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const auto& [key, row] : found[i]) visit(at + i, key, row);
      auto more = found[i].size() == kBlock ? std::optional(found[i].back().first) : std::nullopt;
      while (more) {
        const auto page = table.range(*more, wanted[at + i].last, Direction::kUp, kBlock);
        for (const auto& [key, row] : page) {
          if (key != *more) visit(at + i, key, row);
        }
        more = page.size() == kBlock ? std::optional(page.back().first) : std::nullopt;
      }
    }
    at += found.size();
  }
}

// Counts the reactions, comments and reposts of posts and comments, without the stored counters.
class ContentCount {
 public:
  ContentCount(const Snapshot& snapshot, std::span<const ContentId> contents)
      : snapshot_(snapshot), contents_(contents), counters_(contents.size()) {}

  std::vector<ContentCounters> run() && {
    count_reactions();
    count_reposts();
    count_comments<tables::Threads>();
    count_comments<tables::HiddenThreads>();
    return std::move(counters_);
  }

 private:
  void count_reactions() {
    std::vector<KeyRange<tables::Reactions>> wanted;
    for (const ContentId content : contents_) {
      wanted.push_back({{content, kNobody}, {content, reads::Greatest{}}});
    }
    for_ranges<tables::Reactions>(
        snapshot_, wanted, [&](std::size_t i, const auto& /*key*/, const Reaction& reaction) {
          ++counters_[i].reactions[index_of(reaction.type)];
        });
  }

  void count_reposts() {
    std::vector<KeyRange<tables::RepostsOf>> wanted;
    for (const ContentId content : contents_) {
      const PostId post{content.value};
      wanted.push_back({{post, kNobody}, {post, reads::Greatest{}}});
    }
    for_ranges<tables::RepostsOf>(
        snapshot_, wanted,
        [&](std::size_t i, const auto& /*key*/, PostId /*repost*/) { ++counters_[i].reposts; });
  }

  // All comments of a post, or direct replies to a comment, without removed ones.
  template <class Thread>
  void count_comments() {
    std::vector<tables::Comments::Key> keys;
    for (const ContentId content : contents_) keys.push_back({CommentId{content.value}});
    const auto comments = snapshot_.find_all(keys);
    std::vector<KeyRange<Thread>> wanted;
    for (std::size_t i = 0; i < comments.size(); ++i) {
      const auto& comment = comments[i];
      const PostId post = comment ? comment->post : PostId{contents_[i].value};
      const CommentId first = comment ? comment->id : kNoComment;
      const CommentId last = comment ? comment->id : CommentId{~std::uint64_t{0}};
      wanted.push_back({{post, first, kNoComment}, {post, last, reads::Greatest{}}});
    }
    for_ranges<Thread>(snapshot_, wanted,
                       [&](std::size_t i, const auto& key, const auto& /*nothing*/) {
                         places_.push_back(i);
                         found_.push_back({key.comment});
                         if (found_.size() == kBlock) count_found();
                       });
    count_found();
  }

  void count_found() {
    const auto comments = snapshot_.find_all(found_);
    for (std::size_t i = 0; i < comments.size(); ++i) {
      const bool is_there = comments[i] && comments[i]->state != CommentState::kRemoved;
      if (is_there) ++counters_[places_[i]].comments;
    }
    places_.clear();
    found_.clear();
  }

  const Snapshot& snapshot_;
  std::span<const ContentId> contents_;
  std::vector<ContentCounters> counters_;
  std::vector<std::size_t> places_;  // indexes of the contents for found_
  std::vector<tables::Comments::Key> found_;
};

// Compares stored and counted counters of posts and comments, each within one state.
class CounterCheck {
 public:
  CounterCheck(const CheckInput& stores, Examination& exam)
      : walk_(stores.walk), snapshot_(stores.snapshot), exam_(exam) {}

  void check() {
    for (ContentId after{};;) {
      const auto rows = reads::content_counters_above(snapshot_, after, kBlock);
      if (rows.empty()) break;
      after = rows.back().content;
      std::vector<ContentId> contents;
      for (const ContentDelta& row : rows) contents.push_back(row.content);
      compare(contents);
    }
    for (tables::RepostsOf::Key after{};;) {
      const auto rows = reads::above<tables::RepostsOf>(snapshot_, after, kBlock);
      if (rows.empty()) break;
      after = rows.back().first;
      std::set<ContentId> originals;
      for (const auto& [key, repost] : rows) originals.insert(content_of(key.original));
      check_uncounted(originals);
    }
  }
  void check(std::span<const ReactionRow> rows) {
    std::set<ContentId> contents;
    for (const ReactionRow& row : rows) contents.insert(row.content);
    check_uncounted(contents);
  }
  void check(std::span<const Comment> comments) {
    std::set<ContentId> contents;
    for (const Comment& comment : comments) {
      if (comment.state == CommentState::kRemoved) continue;
      contents.insert(content_of(comment.post));
      if (comment.parent != kNoComment) contents.insert(content_of(comment.parent));
    }
    check_uncounted(contents);
  }

 private:
  // Checks contents without stored counters.
  void check_uncounted(const std::set<ContentId>& contents) {
    std::vector<tables::ContentCounts::Key> keys;
    for (const ContentId content : contents) keys.push_back({content});
    const auto stored = snapshot_.find_all(keys);
    std::vector<ContentId> uncounted;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!stored[i]) uncounted.push_back(keys[i].content);
    }
    compare(uncounted);
  }

  void compare(std::span<const ContentId> contents) {
    const auto shown = snapshot_.content_counters(contents);
    const auto actual = ContentCount(snapshot_, contents).run();
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (shown[i] == actual[i] || !found_.insert(contents[i]).second) continue;
      exam_.find(FindingKind::kContent,
                 fmt::format("{} counts {} reactions, {} comments and {} reposts; there are {}, {} "
                             "and {}",
                             contents[i].value, shown[i].reactions_in_all(), shown[i].comments,
                             shown[i].reposts, actual[i].reactions_in_all(), actual[i].comments,
                             actual[i].reposts),
                 kNobody, contents[i]);
    }
    walk_.rest(contents.size());
  }

  Walk& walk_;
  const Snapshot& snapshot_;
  Examination& exam_;
  std::set<ContentId> found_;
};

// Checks that comments have posts and parents, and that comments and reactions are by users who may
// see the post. Those of a post under removal are not an error, because the removal will reach
// them.
class ThreadCheck {
 public:
  ThreadCheck(const CheckInput& stores, Examination& exam)
      : walk_(stores.walk),
        snapshot_(stores.snapshot),
        exam_(exam),
        latest_{stores.clock.now().ms + rules::kOwnClockMs} {}

  void check(const Comment& comment) {
    if (waits(comment.post)) return;
    tell(comment, rules::comment_problem(comment, post(comment.post), latest_));
    if (comment.parent == kNoComment) return;
    auto problem = rules::reply_problem(comment, find(comment.parent));
    const bool is_odd = !problem && comment.parent > comment.id;
    if (is_odd && circles_.closes(comment)) problem = "it replies to itself through other comments";
    tell(comment, problem);
  }

  void check(const ReactionRow& row) {
    if (row.content != content_ || states_ != walk_.states()) {
      content_ = row.content;
      states_ = walk_.states();
      const auto comment = find(CommentId{content_.value});
      post_ = post(comment ? comment->post : PostId{content_.value});
    }
    auto problem = rules::time_problem("its time", row.reaction.since, latest_);
    const bool stays = post_ && !waits(post_->id);
    if (!problem && stays) problem = rules::reaction_problem(row.reaction.user, *post_);
    if (!problem) return;
    exam_.find(FindingKind::kComment,
               fmt::format("a reaction of user number {} to {}: {}", row.reaction.user.value,
                           content_.value, *problem));
  }

 private:
  [[nodiscard]] bool waits(PostId post) {
    const auto& removals = removals_.get(walk_, &reads::unfinished_post_removals);
    return std::ranges::binary_search(removals, content_of(post));
  }
  [[nodiscard]] std::optional<Post> post(PostId id) const {
    return snapshot_.find(tables::Posts::Key{id});
  }
  [[nodiscard]] std::optional<Comment> find(CommentId id) const {
    return snapshot_.find(tables::Comments::Key{id});
  }
  void tell(const Comment& comment, const std::optional<std::string>& problem) {
    if (!problem) return;
    exam_.find(FindingKind::kComment, fmt::format("comment {}: {}", comment.id.value, *problem));
  }

  Walk& walk_;
  const Snapshot& snapshot_;
  Examination& exam_;
  Time latest_;                               // the latest valid time of a row
  OfState<std::vector<ContentId>> removals_;  // ascending
  rules::ReplyCircles circles_{[this](CommentId id) { return find(id); }};
  ContentId content_{};  // content of the last reaction; post_ is its post
  std::uint64_t states_ = 0;
  std::optional<Post> post_;
};

}  // namespace

void check_contents(const CheckInput& stores, Examination& exam) {
  CounterCheck counters(stores, exam);
  counters.check();
  ThreadCheck threads(stores, exam);
  const auto comments = for_each_comment(stores.walk, [&](std::span<const Comment> block) {
    for (const Comment& comment : block) threads.check(comment);
    counters.check(block);
  });
  const auto reactions = for_each_reaction(stores.walk, [&](std::span<const ReactionRow> block) {
    for (const ReactionRow& row : block) threads.check(row);
    counters.check(block);
  });
  exam.checked("reactions", reactions);
  exam.checked("comments", comments);
}

void repair_contents(Storage& storage, const std::vector<Finding>& findings, Time now) {
  for (const Finding& finding : findings) {
    if (finding.kind != FindingKind::kContent) continue;
    const auto snapshot = storage.snapshot();
    const auto actual = ContentCount(*snapshot, {&finding.content, 1}).run();
    rules::repair_content_counters(storage, finding.content, actual.front(), now);
  }
}

}  // namespace chirp::doctor
