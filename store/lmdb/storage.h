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
#include "store/lmdb/env.h"

namespace chirp::lmdb {

// What a store says of itself; the same as in the user directory it belongs to.
struct Identity {
  std::uint32_t format_version = 0;
  std::string uuid;
  std::uint32_t machine = 0;

  bool operator==(const Identity&) const = default;
};

// Makes an empty store in `folder`, which exists and is empty; durable on return, but for the
// folder's own entry.
void create_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                  const Identity& identity);

// Throws Error{kCorrupt} if it is not there or fails its check.
[[nodiscard]] Identity identity_of(const std::shared_ptr<Env>& env);

// Brings a store of an older format to today's in one transaction: tables and what records lack.
// New consumers begin at the end of the log. False if it is there already. Throws Error{kVersion}
// for a newer one. For whoever is alone in the directory.
bool migrate_store(const std::filesystem::path& folder, const std::filesystem::path& write_lock,
                   std::uint32_t version);

// The highest user number there is a card of, removed users among them; kNobody if there is none.
[[nodiscard]] UserNumber highest_number(const std::shared_ptr<Env>& env);

// Rows a table, as Snapshot::table_rows says them, each from its table: nothing is believed that is
// counted along. `look` is called on the way, and may throw.
[[nodiscard]] std::map<std::string, std::uint64_t> counted_rows(
    const std::shared_ptr<Env>& env, const std::function<void()>& look = {});

// `reserve` must outlive it; null for a store without one.
[[nodiscard]] std::unique_ptr<Storage> open_storage(std::shared_ptr<Env> env,
                                                    store::DiskReserve* reserve = nullptr);

}  // namespace chirp::lmdb
