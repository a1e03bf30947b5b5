// The façade for the command line and the server: the use cases over one set of ports.
#pragma once

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"
#include "core/social/comments.h"
#include "core/social/follows.h"
#include "core/social/media.h"
#include "core/social/notifications.h"
#include "core/social/posts.h"
#include "core/social/reactions.h"
#include "core/social/relations.h"
#include "core/social/tokens.h"
#include "core/social/trends.h"

namespace chirp {

class Engine {
 public:
  // `memory` may be null: then every page is read from the store.
  Engine(Storage& storage, UserDirectory& directory, const PasswordHasher& hasher,
         const Clock& clock, feed::PageMemory* memory = nullptr)
      : storage_(storage),
        directory_(directory),
        clock_(clock),
        accounts_(storage, directory, hasher, clock),
        posts_(storage, accounts_, clock),
        follows_(storage, accounts_, clock),
        relations_(storage, accounts_, clock),
        media_(storage, directory, clock),
        tokens_(directory, accounts_, clock),
        reactions_(storage, accounts_, clock),
        comments_(storage, accounts_, clock),
        feeds_(storage, clock, memory),
        trends_(storage, clock),
        notifications_(storage) {}

  [[nodiscard]] Storage& storage() { return storage_; }
  [[nodiscard]] UserDirectory& directory() { return directory_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] social::Accounts& accounts() { return accounts_; }
  [[nodiscard]] social::Posts& posts() { return posts_; }
  [[nodiscard]] social::Follows& follows() { return follows_; }
  [[nodiscard]] social::Relations& relations() { return relations_; }
  [[nodiscard]] social::Media& media() { return media_; }
  [[nodiscard]] social::Tokens& tokens() { return tokens_; }
  [[nodiscard]] social::Reactions& reactions() { return reactions_; }
  [[nodiscard]] social::Comments& comments() { return comments_; }
  [[nodiscard]] feed::Feeds& feeds() { return feeds_; }
  [[nodiscard]] social::Trends& trends() { return trends_; }
  [[nodiscard]] social::Notifications& notifications() { return notifications_; }

 private:
  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
  social::Accounts accounts_;
  social::Posts posts_;
  social::Follows follows_;
  social::Relations relations_;
  social::Media media_;
  social::Tokens tokens_;
  social::Reactions reactions_;
  social::Comments comments_;
  feed::Feeds feeds_;
  social::Trends trends_;
  social::Notifications notifications_;
};

}  // namespace chirp
