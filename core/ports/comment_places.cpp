#include "core/ports/comment_places.h"

#include "core/ports/reads.h"

namespace chirp {

using tables::HiddenThreads;
using tables::Relations;
using tables::Threads;

CommentPlaces::CommentPlaces(const Snapshot& snapshot, std::span<const Comment> comments)
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

std::optional<CommentPlaces::Due> CommentPlaces::misplaced(std::size_t i) const {
  const bool is_there = comments_[i].state == CommentState::kThere;
  if (!posts_[i]) return std::nullopt;
  if (is_there && (!cards_[i] || cards_[i]->presence == Presence::kRemoved)) return std::nullopt;
  const bool due = is_there && is_due_hidden(i);
  if (hidden_[i].has_value() == due && shown_[i].has_value() != due) return std::nullopt;
  return due ? Due::kHidden : Due::kShown;
}

void CommentPlaces::find_blocks() {
  std::vector<Relations::Key> keys;
  for (std::size_t i = 0; i < comments_.size(); ++i) {
    const UserNumber author = comments_[i].author;
    const UserNumber other = posts_[i] ? posts_[i]->author : kNobody;
    keys.push_back({author, Relation::kBlock, other});
    keys.push_back({other, Relation::kBlock, author});
  }
  blocks_ = snapshot_.find_all(keys);
}

void CommentPlaces::find_places() {
  std::vector<Threads::Key> shown;
  std::vector<HiddenThreads::Key> hidden;
  for (const Comment& comment : comments_) {
    shown.push_back({comment.post, comment.parent, comment.id});
    hidden.push_back({comment.post, comment.parent, comment.id});
  }
  shown_ = snapshot_.find_all(shown);
  hidden_ = snapshot_.find_all(hidden);
}

bool CommentPlaces::is_due_hidden(std::size_t i) const {
  const Comment& comment = comments_[i];
  if (cards_[i]->presence == Presence::kPresent) {
    return !blocks_.empty() && (blocks_[2 * i] || blocks_[2 * i + 1]);
  }
  return reads::thread(snapshot_, comment.post, comment.id, kNoComment, Direction::kUp, 1).empty();
}

}  // namespace chirp
