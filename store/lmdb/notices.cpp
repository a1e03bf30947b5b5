// Notifications, hashtags and idempotency keys, as snapshots have them.
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/notifications.h"
#include "store/lmdb/readers.h"
#include "store/lmdb/tags.h"

namespace chirp::lmdb {

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
