// Notifications, hashtags and idempotency keys, as the ports have them.
#include <algorithm>

#include "store/lmdb/cards.h"
#include "store/lmdb/keys.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/notifications.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {

bool LmdbStorage::commit(const NotificationStep& step, Time now) {
  return run(now, [&](Batch& batch) {
    if (batch.state.notifications != step.from) return Verdict::kNothing;
    for (std::span<const events::Notification> told = step.told; !told.empty();) {
      const UserNumber user = told.front().user;
      const auto end =
          std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.user != user; });
      const auto count = static_cast<std::size_t>(end - told.begin());
      if (is_present(batch.txn, user)) put_notifications(batch, told.first(count), step.keep);
      told = told.subspan(count);
    }
    batch.state.notifications = step.to;
    return Verdict::kCommit;
  });
}

bool LmdbStorage::commit(const TrendStep& step, Time now) {
  return run(now, [&](Batch& batch) {
    if (batch.state.trends != step.from) return Verdict::kNothing;
    for (const TaggedPost& post : step.posts) put_tags_of_present(batch, post);
    erase_old_tags(batch, step.since, step.drop);
    batch.state.trends = step.to;
    return Verdict::kCommit;
  });
}

bool LmdbStorage::mark_notified(UserNumber user, Sequence up_to) {
  return run({}, [&](Batch& batch) {
    if (!is_present(batch.txn, user)) return Verdict::kNothing;
    Reader reader = read_reader(batch.txn, user);
    const Sequence last{batch.state.log_end.value - 1};
    const Sequence read = std::min(up_to, last);
    if (read <= reader.notified) return Verdict::kNothing;
    reader.notified = read;
    put_reader(batch, user, reader);
    return Verdict::kCommit;
  });
}

std::uint64_t LmdbStorage::forget_keys(Time before, std::uint32_t rows) {
  std::uint64_t forgotten = 0;
  run({}, [&](Batch& batch) {
    forgotten = erase_old_keys(batch, before, rows);
    return forgotten > 0 ? Verdict::kCommit : Verdict::kNothing;
  });
  return forgotten;
}

void LmdbStorage::repair_tags(std::span<const TaggedPost> posts, Time now) {
  run(now, [&](Batch& batch) {
    for (const TaggedPost& post : posts) {
      erase_tags(batch, post.post);
      put_tags_of_present(batch, post);
    }
    return Verdict::kCommit;
  });
}

void LmdbStorage::repair_notifications(std::span<const events::Notification> wrong,
                                       std::span<const events::Notification> missing, Time now) {
  run(now, [&](Batch& batch) {
    for (const auto& one : wrong) erase_notification(batch, one.user, one.sequence);
    for (const auto& one : missing) {
      if (is_present(batch.txn, one.user)) put_notifications(batch, {&one, 1}, ~std::uint32_t{0});
    }
    return Verdict::kCommit;
  });
}

// ---- reading

std::vector<events::Notification> LmdbSnapshot::notifications(UserNumber user, Sequence before,
                                                              std::uint32_t limit) const {
  return read_notifications(txn_, user, before, limit);
}

Sequence LmdbSnapshot::notified(UserNumber user) const { return read_reader(txn_, user).notified; }

std::vector<TaggedPost> LmdbSnapshot::tagged_posts(PostId below, std::uint32_t limit) const {
  return read_tagged_posts(txn_, below, limit);
}

std::optional<PostId> LmdbSnapshot::oldest_tagged_post() const {
  return read_oldest_tagged_post(txn_);
}

std::optional<Time> LmdbSnapshot::oldest_key() const { return read_oldest_key(txn_); }

std::vector<events::Notification> LmdbSnapshot::scan_notifications(UserNumber after_user,
                                                                   Sequence after,
                                                                   std::uint32_t limit) const {
  return lmdb::scan_notifications(txn_, after_user, after, limit);
}

}  // namespace chirp::lmdb
