// The authors that a read has met, each looked up once.
#pragma once

#include <span>
#include <vector>

#include "core/feed/rules.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// `snapshot` must outlive it.
class Authors {
 public:
  // `relations` is StoreState::relations: while there are none, nobody stands to anybody in a
  // special way and nothing is asked.
  Authors(const ContentReader& snapshot, UserNumber viewer, std::uint64_t relations)
      : snapshot_(snapshot), viewer_(viewer), relations_(relations) {}

  // Looks up who is not known yet, in one step. Pointers from find() are without meaning after it.
  void meet(std::vector<UserNumber> users);
  // Null for who was not met or has no card.
  [[nodiscard]] const Person* find(UserNumber user) const;

 private:
  const ContentReader& snapshot_;
  UserNumber viewer_;
  std::uint64_t relations_;
  std::vector<Person> authors_;  // by number
};

}  // namespace chirp::feed
