// Posts in the log of their privacy level, for stores of formats with a single log per author.
#include <set>

#include "core/doctor/checks.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

// Adds the authors of private posts in events that the counters' consumer has not processed yet.
// Their counters may include private posts, like those of authors who have some now.
void add_pending(const Snapshot& snapshot, std::set<UserNumber>& authors) {
  for (Sequence from = snapshot.state().counters;;) {
    const auto events = reads::events(snapshot, from, kBlock);
    if (events.empty()) return;
    for (const events::Event& event : events) {
      if (!counts_for_author(event.privacy)) authors.insert(event.actor);
    }
    from = Sequence{events.back().sequence.value + 1};
  }
}

}  // namespace

void separate_levels(Storage& storage, Time now, const Walked& walked) {
  std::set<UserNumber> miscounted;
  add_pending(*storage.snapshot(), miscounted);
  std::vector<Post> hidden;
  const auto flush = [&](std::size_t from) {
    if (hidden.size() < from) return;
    rules::repair_logs(storage, hidden, now);
    hidden.clear();
  };
  // Each block is read from a new state, because an old state prevents its pages from being reused.
  for (PostId after = kBelowAllPosts;;) {
    const auto posts = reads::rows_above<tables::Posts>(*storage.snapshot(), {after}, kBlock);
    if (posts.empty()) break;
    after = posts.back().id;
    for (const Post& post : posts) {
      if (post.privacy == Privacy::kPublic) continue;
      if (!counts_for_author(post.privacy)) miscounted.insert(post.author);
      hidden.push_back(post);
      flush(kRepairedAtOnce);
    }
    if (walked) walked(posts.size());
  }
  flush(1);
  for (const UserNumber user : miscounted) {
    rules::repair_counters(storage, user, counted(*storage.snapshot(), user), now);
  }
}

}  // namespace chirp::doctor
