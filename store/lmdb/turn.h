// The writers' turn: one writer at a time of all processes, none twice while another waits.
//
// Two locks in one file, one byte each: "next" and "turn". A writer takes "next" first, and keeps
// it until it has "turn". So a process that writes again and again can't take the turn from a
// waiting one, however short its pauses are.
#pragma once

#include "store/deadline.h"

namespace chirp::lmdb {

class WriteTurn {
 public:
  // `fd` is the lock file, open for writing; only one thread at a time may use it. Throws
  // Error{kUnavailable} if the turn is not free by the deadline, {kIo}.
  WriteTurn(int fd, const store::Deadline& deadline);
  ~WriteTurn();
  WriteTurn(const WriteTurn&) = delete;
  WriteTurn& operator=(const WriteTurn&) = delete;

 private:
  int fd_;
};

}  // namespace chirp::lmdb
