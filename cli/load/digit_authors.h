// Authors of posts who are called by digits: mostly these are the ids of a graph that was loaded
// before, in a column that is called as that of names.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/load/source.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::cli {

class DigitAuthors {
 public:
  // Both are null where nobody is there yet.
  DigitAuthors(const Storage* storage, const UserDirectory* users);

  // Whoever has a number for a name, and is there by an earlier load with this number for an id, is
  // the author: of the post, and of what is inside of it. Who comes by the load itself does not
  // count, since that would hang on how the input is cut into batches.
  void resolve(load::SourcePost& post);

 private:
  [[nodiscard]] bool is_there(SourceId id);

  const Storage* storage_;
  UserNumber last_ = kNobody;  // of those who were there when the load began
  std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace chirp::cli
