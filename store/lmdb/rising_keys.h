// The keys that a walk over a table has passed.
#pragma once

#include <string>

#include "store/lmdb/record.h"

namespace chirp::lmdb {

// In a damaged page keys may fall, and a walk would say a row twice, or go round for ever. Throws
// Error{kCorrupt} then.
class RisingKeys {
 public:
  RisingKeys(Table table, Bytes above) : table_(table), last_(above) {}
  void pass(Bytes key) {
    if (key <= last_) throw_corrupt(table_, key, "it is not in its place");
    last_ = key;
  }

 private:
  Table table_;
  std::string last_;
};

}  // namespace chirp::lmdb
