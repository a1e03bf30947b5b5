// The engine's store on LMDB: implements core/ports/storage.h and core/ports/snapshot.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/ports/storage.h"
#include "store/disk_reserve.h"
#include "store/format_file.h"
#include "store/lmdb/env.h"

namespace chirp::lmdb {

using store::Identity;

// Makes an empty store in `folder`, which must exist and be empty. Durable on return, except for
// the folder's entry in its parent.
void create_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                  const Identity& identity);

// Throws Error{kCorrupt} if it is missing or fails its check.
[[nodiscard]] Identity identity_of(const std::shared_ptr<Env>& env);

// Migrates a store to the current format in one transaction. New consumers begin at the first
// event of the log. Returns false if it is current. Throws Error{kVersion} for a newer one. No
// other process may have the directory open.
bool migrate_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                   std::uint32_t version);

// Returns the highest user number with a card, including removed users; kNobody in an empty store.
[[nodiscard]] UserNumber highest_number(const std::shared_ptr<Env>& env);

// Counts the rows of each table, like Snapshot::table_rows, but from the tables themselves: stored
// counts are not trusted. `look` is called regularly, and may throw.
[[nodiscard]] std::map<std::string, std::uint64_t> counted_rows(
    const std::shared_ptr<Env>& env, const std::function<void()>& look = {});

// `reserve` must outlive it; null for no reserve.
[[nodiscard]] std::unique_ptr<Storage> open_storage(std::shared_ptr<Env> env,
                                                    store::DiskReserve* reserve = nullptr);

}  // namespace chirp::lmdb
