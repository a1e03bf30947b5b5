// The writers' turn: one writer at a time, of all processes, and nobody twice before who waits.
//
// Two locks in one file, a byte each: who comes next, and whose turn it is. Whoever wants the turn
// comes next first, and stays so until the turn is theirs. So somebody who writes again and again
// can't take the turn back from under the one who waits for it, however short the pause between.
#pragma once

#include "store/deadline.h"

namespace chirp::lmdb {

class WriteTurn {
 public:
  // `fd` is the lock file, open to write; one thread at a time may use it here. Throws
  // Error{kUnavailable} if the turn has not come by the deadline, {kIo}.
  WriteTurn(int fd, const store::Deadline& deadline);
  ~WriteTurn();
  WriteTurn(const WriteTurn&) = delete;
  WriteTurn& operator=(const WriteTurn&) = delete;

 private:
  int fd_;
};

}  // namespace chirp::lmdb
