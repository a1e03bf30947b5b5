// Advisory locks of a database: one for the writer, one for the consumers.
#pragma once

#include <cstdint>
#include <string_view>

namespace chirp::postgres {

// Held by the writing transaction until it ends; with several servers, by the session until the
// commit is published.
inline constexpr std::int64_t kWritersLock = 7234002;
inline constexpr std::string_view kLockWriters = "select pg_advisory_xact_lock(7234002)";
// Fails if another session waits for the lock.
inline constexpr std::string_view kGiveWay =
    "select 1 / (not exists (select from pg_locks l where l.locktype = 'advisory'"
    " and not l.granted and l.classid = 0 and l.objid = 7234002 and l.database ="
    " (select oid from pg_database where datname = current_database())))::int4";
inline constexpr std::string_view kHoldWriters = "select pg_advisory_lock(7234002)";
inline constexpr std::string_view kLetWritersGo = "select pg_advisory_unlock(7234002)";

// Held by the session that runs the consumers; never granted on a standby.
inline constexpr std::int64_t kConsumersLock = 7234003;
inline constexpr std::string_view kTryConsume =
    "select case when pg_is_in_recovery() then false else pg_try_advisory_lock(7234003) end";
inline constexpr std::string_view kStopConsuming = "select pg_advisory_unlock(7234003)";

}  // namespace chirp::postgres
