// The bytes of uploads in a database: parts of 256 KiB below the SHA-256 of the whole.
//
// Bytes are put and removed by transactions that hold the lock of their hash until they end, so
// that whoever names them knows whether they are there.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/ports/media_store.h"
#include "store/postgres/connection.h"

namespace chirp::postgres {

// Queues the wait for the lock of a hash, which ends with the transaction. Of several hashes in the
// order of the hashes.
void send_lock(Connection& connection, std::string_view hash);

// Whether they are there as they were put.
[[nodiscard]] bool are_sound(Connection& connection, const std::string& hash);
// Queues what puts them in the place of whatever is there. With the lock.
void send_bytes(Connection& connection, const std::string& hash, std::string_view bytes);
// Removes the bytes of these hashes that no row names any more; takes the locks.
void remove_unnamed(Connection& connection, std::span<const std::string> hashes);

// All of them, in memory: they stay there to be read, whoever removes them. Throws Error{kCorrupt}
// if they are missing or damaged.
[[nodiscard]] std::shared_ptr<const MediaFile> open_bytes(Connection& connection,
                                                          const std::string& hash);

}  // namespace chirp::postgres
