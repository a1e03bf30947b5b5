// The bytes of uploads: parts of 256 KiB under the SHA-256 of the whole.
//
// Transactions that put or remove bytes lock the hash until they end, so a transaction that refers
// to bytes knows whether they exist.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/ports/media_store.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Queues the lock of a hash, which is held until the transaction ends. Lock several hashes in
// ascending order.
void send_lock(Connection& connection, std::string_view hash);

// Whether the bytes are present and undamaged.
[[nodiscard]] bool are_sound(Connection& connection, const std::string& hash);
// Queues statements that replace the bytes of a hash. The caller holds its lock.
void send_bytes(Connection& connection, const std::string& hash, std::string_view bytes);
// Removes the bytes of these hashes that no row refers to; takes the locks.
void remove_unnamed(Connection& connection, std::span<const std::string> hashes);

// Reads all bytes into memory, where they stay readable after a removal. Throws Error{kCorrupt} if
// they are missing or damaged.
[[nodiscard]] std::shared_ptr<const MediaFile> open_bytes(Connection& connection,
                                                          const std::string& hash);

}  // namespace chirp::postgres
