// Comments that nobody but the operator sees, against suspensions and blocks: whether each comment
// is in the table of shown ones or of hidden ones, as it is due.
#include <functional>
#include <set>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

using tables::HiddenThreads;
using tables::Relations;
using tables::Threads;

// Called for each comment that is in the wrong table, or in none or both; it is due in the table of
// hidden ones, or not.
using Differs = std::function<void(const Comment&, bool is_due_hidden)>;

// Users whose comments the consumer has yet to look at.
std::set<UserNumber> pending_users(const Snapshot& snapshot) {
  using events::Topic;
  std::set<UserNumber> users;
  for (Sequence from = snapshot.state().trends;;) {
    const auto events = reads::events(snapshot, from, kBlock);
    if (events.empty()) return users;
    for (const events::Event& event : events) {
      const bool is_block =
          event.topic == Topic::kBlockAdded || event.topic == Topic::kBlockRemoved;
      const bool is_suspension =
          event.topic == Topic::kUserSuspended || event.topic == Topic::kUserUnsuspended;
      if (is_block || is_suspension) users.insert(event.actor);
      if (is_block) users.insert(event.other);
    }
    from = Sequence{events.back().sequence.value + 1};
  }
}

// Some comments with what decides where they are due, read at once.
class Block {
 public:
  Block(const Snapshot& snapshot, const std::vector<Comment>& comments)
      : snapshot_(snapshot), comments_(comments) {
    std::vector<tables::Posts::Key> posts;
    std::vector<UserNumber> authors;
    for (const Comment& comment : comments) {
      posts.push_back({comment.post});
      authors.push_back(comment.author);
    }
    posts_ = snapshot.find_all(posts);
    cards_ = reads::cards(snapshot, authors);
    if (snapshot.state().relations != 0) find_blocks();
    find_places();
  }

  void compare(const std::set<UserNumber>& pending, const Differs& differs) const {
    for (std::size_t i = 0; i < comments_.size(); ++i) {
      const Comment& comment = comments_[i];
      if (!posts_[i] || pending.contains(comment.author)) continue;
      const bool is_there = comment.state == CommentState::kThere;
      // A removal that is under way will reach it.
      if (is_there && (!cards_[i] || cards_[i]->presence == Presence::kRemoved)) continue;
      const bool due = is_there && is_due_hidden(i);
      if (hidden_[i].has_value() != due || shown_[i].has_value() == due) differs(comment, due);
    }
  }

 private:
  void find_blocks() {
    std::vector<Relations::Key> keys;
    for (std::size_t i = 0; i < comments_.size(); ++i) {
      const UserNumber author = comments_[i].author;
      const UserNumber other = posts_[i] ? posts_[i]->author : kNobody;
      keys.push_back({author, Relation::kBlock, other});
      keys.push_back({other, Relation::kBlock, author});
    }
    blocks_ = snapshot_.find_all(keys);
  }
  void find_places() {
    std::vector<Threads::Key> shown;
    std::vector<HiddenThreads::Key> hidden;
    for (const Comment& comment : comments_) {
      shown.push_back({comment.post, comment.parent, comment.id});
      hidden.push_back({comment.post, comment.parent, comment.id});
    }
    shown_ = snapshot_.find_all(shown);
    hidden_ = snapshot_.find_all(hidden);
  }
  [[nodiscard]] bool is_due_hidden(std::size_t i) const {
    const Comment& comment = comments_[i];
    if (cards_[i]->presence == Presence::kPresent) {
      return !blocks_.empty() && (blocks_[2 * i] || blocks_[2 * i + 1]);
    }
    return reads::thread(snapshot_, comment.post, comment.id, kNoComment, Direction::kUp, 1)
        .empty();
  }

  const Snapshot& snapshot_;
  const std::vector<Comment>& comments_;
  std::vector<std::optional<Post>> posts_;
  std::vector<std::optional<AuthorCard>> cards_;
  std::vector<std::optional<Time>> blocks_;  // two for each, or none at all
  std::vector<std::optional<tables::Nothing>> shown_;
  std::vector<std::optional<tables::Nothing>> hidden_;
};

}  // namespace

void check_hidden_comments(const Stores& stores, Examination& exam) {
  const auto pending = pending_users(stores.snapshot);
  const Differs differs = [&](const Comment& comment, bool is_due_hidden) {
    exam.find(Kind::kHidden,
              fmt::format("comment {} is {} the comments that strangers look through",
                          comment.id.value, is_due_hidden ? "among" : "not among"));
  };
  for (CommentId after = kNoComment;;) {
    const auto comments = reads::rows_above<tables::Comments>(stores.snapshot, {after}, kBlock);
    if (comments.empty()) return;
    Block(stores.snapshot, comments).compare(pending, differs);
    after = comments.back().id;
  }
}

void hide_comments(Storage& storage, Time now) {
  std::vector<CommentId> wrong;
  const auto flush = [&](std::size_t from) {
    if (wrong.size() < from) return;
    rules::repair_threads(storage, wrong, now);
    wrong.clear();
  };
  // Each block is read from a new state, as in separate_levels().
  for (CommentId after = kNoComment;;) {
    {
      const auto snapshot = storage.snapshot();
      const auto comments = reads::rows_above<tables::Comments>(*snapshot, {after}, kBlock);
      if (comments.empty()) break;
      Block(*snapshot, comments).compare({}, [&](const Comment& comment, bool) {
        wrong.push_back(comment.id);
      });
      after = comments.back().id;
    }
    flush(kRepairedAtOnce);
  }
  flush(1);
}

}  // namespace chirp::doctor
