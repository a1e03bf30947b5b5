#include "store/postgres/rows/keys.h"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include <xxhash.h>

namespace chirp::postgres {
namespace {

std::string digest_of(std::string_view text) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  const auto* const digits = static_cast<const unsigned char*>(canonical.digest);
  return {digits, digits + sizeof canonical.digest};
}

constexpr std::string_view kFind =
    "select x.i, t.since, t.post, t.request from unnest($1::int4[], $2::bytea[]) with ordinality"
    " x(usr, hash, i) join keys t on t.usr = x.usr and t.hash = x.hash /*and t.b = bucket*/";
constexpr std::string_view kStaleOf =
    "select since from keys t where usr = $1::int4 /*and t.b = bucket*/ limit $2::int8";
constexpr std::string_view kStaleOld =
    "select since from keys t where since < $1::int8 /*and t.b = bucket*/"
    " order by since limit $2::int8";
constexpr std::string_view kForgetOf =
    "delete from keys k where (usr, hash) in (select usr, hash from keys t where usr = $1::int4"
    " /*and t.b = bucket*/ order by hash limit $2::int8) /*and k.b = bucket*/";
constexpr std::string_view kForgetOld =
    "delete from keys k where (usr, hash) in (select usr, hash from keys t where since < $1::int8"
    " /*and t.b = bucket*/ order by since, usr, hash limit $2::int8) /*and k.b = bucket*/";
constexpr std::string_view kKeep =
    "insert into keys (/*b, */since, post, usr, hash, request) select /*bucket, */$1::int8,"
    " x.post, x.usr, x.hash, x.request from unnest($2::int8[], $3::int4[], $4::bytea[], "
    "$5::bytea[])"
    " x(post, usr, hash, request) on conflict (/*b, */usr, hash)"
    " do update set since = excluded.since, post = excluded.post, request = excluded.request";

Params params_of(const StaleRequests& which, std::uint32_t limit) {
  Params params;
  if (const auto* const user = std::get_if<UserNumber>(&which)) {
    params.int4(static_cast<std::int32_t>(user->value));
  } else {
    params.int8(std::get<Time>(which).ms);
  }
  return params.int8(limit);
}

// Queries the keys of one group.
void find_in_group(Questions& questions, Group group, std::vector<far::RequestKey> asked,
                   far::Known& known) {
  Array users(Type::kInt4);
  Array hashes(Type::kBytea);
  for (const far::RequestKey& request : asked) {
    add_key(users, request.user);
    hashes.raw(digest_of(request.key));
  }
  questions.at(group, kFind, Params().add(users).add(hashes),
               [&known, asked = std::move(asked)](const Result& result) {
                 for (const far::RequestKey& request : asked) {
                   known.requests[request] = std::nullopt;
                 }
                 for (int row = 0; row < result.rows(); ++row) {
                   const auto& request = asked[static_cast<std::size_t>(result.number(row, 0) - 1)];
                   known.requests[request] =
                       EarlierRequest{Time{result.number(row, 1)},
                                      PostId{static_cast<std::uint64_t>(result.number(row, 2))},
                                      result.bytes(row, 3) == digest_of(request.canonical)};
                 }
               });
}

}  // namespace

std::string keys_schema() {
  return "create table if not exists keys (since int8 not null, post int8 not null,"
         " usr int4 not null, hash bytea not null, request bytea not null/*, b int4 not null*/,"
         " primary key (/*b, */usr, hash));"
         " create index if not exists keys_since on keys (since, usr, hash);";
}

void find_keys(Questions& questions, const far::MissingRows& lacked, far::Known& known,
               StaleTimes& times) {
  const Placing& placing = questions.placing();
  std::map<Group, std::vector<far::RequestKey>> asked;
  for (const far::RequestKey& request : lacked.requests) {
    asked[placing.group_of(request.user)].push_back(request);
  }
  for (auto& [group, of_group] : asked) {
    find_in_group(questions, group, std::move(of_group), known);
  }
  for (const auto& [which, limit] : lacked.stale_requests) {
    const auto* const user = std::get_if<UserNumber>(&which);
    known.stale_requests[which] = {limit, 0};
    times[which].clear();
    const auto groups = user != nullptr ? std::vector{placing.group_of(*user)} : placing.all();
    for (const Group group : groups) {
      questions.at(group, user != nullptr ? kStaleOf : kStaleOld, params_of(which, limit),
                   [&known, &times, which = which, limit = limit, group](const Result& result) {
                     auto& found = times[which][group];
                     for (int row = 0; row < result.rows(); ++row) {
                       found.push_back(result.number(row, 0));
                     }
                     auto& all = known.stale_requests[which].count;
                     all = std::min(limit, all + static_cast<std::uint32_t>(found.size()));
                   });
    }
  }
}

namespace {

// How many of the `count` oldest times are in each group.
std::map<Group, std::uint32_t> oldest_of(const std::map<Group, std::vector<std::int64_t>>& times,
                                         std::uint32_t count) {
  std::vector<std::pair<std::int64_t, Group>> all;
  for (const auto& [group, of_group] : times) {
    for (const std::int64_t since : of_group) all.emplace_back(since, group);
  }
  std::ranges::sort(all);
  std::map<Group, std::uint32_t> counts;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, all.size()); ++i) {
    ++counts[all[i].second];
  }
  return counts;
}

}  // namespace

void write_keys(Writes& writes, const Placing& placing, const far::Written& written, Time now,
                const StaleTimes& times) {
  struct Kept {
    Array posts{Type::kInt8};
    Array users{Type::kInt4};
    Array hashes{Type::kBytea};
    Array requests{Type::kBytea};
  };
  std::map<Group, Kept> kept;
  for (const auto& [key, request] : written.requests) {
    Kept& of = kept[placing.group_of(key.first)];
    of.posts.number(static_cast<std::int64_t>(request.post.value));
    add_key(of.users, key.first);
    of.hashes.raw(digest_of(key.second));
    of.requests.raw(digest_of(request.canonical));
  }
  for (const auto& [group, of] : kept) {
    writes.add(group, kKeep,
               Params().int8(now.ms).add(of.posts).add(of.users).add(of.hashes).add(of.requests));
  }
  for (const auto& [which, count] : written.forgotten) {
    const bool of_user = std::holds_alternative<UserNumber>(which);
    if (count == 0) continue;
    for (const auto& [group, here] : oldest_of(times.at(which), count)) {
      writes.add(group, of_user ? kForgetOf : kForgetOld, params_of(which, here));
    }
  }
}

}  // namespace chirp::postgres
