// The façade that the command line and the server hold: the use cases over one set of ports.
#pragma once

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"
#include "core/social/follows.h"
#include "core/social/posts.h"

namespace chirp {

class Engine {
 public:
  Engine(Storage& storage, UserDirectory& directory, const PasswordHasher& hasher,
         const Clock& clock)
      : storage_(storage),
        directory_(directory),
        clock_(clock),
        accounts_(storage, directory, hasher, clock),
        posts_(storage, accounts_, clock),
        follows_(storage, accounts_, clock),
        feeds_(storage, clock) {}

  [[nodiscard]] Storage& storage() { return storage_; }
  [[nodiscard]] UserDirectory& directory() { return directory_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] social::Accounts& accounts() { return accounts_; }
  [[nodiscard]] social::Posts& posts() { return posts_; }
  [[nodiscard]] social::Follows& follows() { return follows_; }
  [[nodiscard]] feed::Feeds& feeds() { return feeds_; }

 private:
  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
  social::Accounts accounts_;
  social::Posts posts_;
  social::Follows follows_;
  feed::Feeds feeds_;
};

}  // namespace chirp
