// The use cases over the in-memory stores, with a hasher without cost.
#pragma once

#include <string>
#include <string_view>

#include "core/social/accounts.h"
#include "core/social/comments.h"
#include "core/social/follows.h"
#include "core/social/posts.h"
#include "core/social/reactions.h"
#include "core/social/relations.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/fake_clock.h"

namespace chirp::test {

class PlainHasher final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view password, unsigned) const override {
    return std::string(password);
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned) const override {
    return password == hash;
  }
};

struct SocialWorld {
  User add(const std::string& name) {
    social::SignUp sign_up;
    sign_up.username = name;
    return accounts.add(sign_up).user;
  }
  [[nodiscard]] User user(std::string_view name) const { return accounts.resolve(name); }
  [[nodiscard]] std::vector<User> users(const std::vector<std::string>& names) const {
    return accounts.resolve_all(names);
  }

  model::ModelStorage storage;
  model::ModelUserDirectory directory;
  PlainHasher hasher;
  FakeClock clock;
  social::Accounts accounts{storage, directory, hasher, clock};
  social::Posts posts{storage, accounts, clock};
  social::Follows follows{storage, accounts, clock};
  social::Relations relations{storage, accounts, clock};
  social::Reactions reactions{storage, accounts, clock};
  social::Comments comments{storage, accounts, clock};
};

}  // namespace chirp::test
