#include "store/postgres/keys.h"

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
constexpr std::string_view kCountOf =
    "select count(*) from (select 1 from keys t where usr = $1::int4 /*and t.b = bucket*/"
    " limit $2::int8) x";
constexpr std::string_view kCountOld =
    "select count(*) from (select 1 from keys t where since < $1::int8 /*and t.b = bucket*/"
    " limit $2::int8) x";
constexpr std::string_view kForgetOf =
    "delete from keys k where (usr, hash) in (select usr, hash from keys t where usr = $1::int4"
    " /*and t.b = bucket*/ order by hash limit $2::int8) /*and k.b = bucket*/";
constexpr std::string_view kForgetOld =
    "delete from keys k where (usr, hash) in (select usr, hash from keys t where since < $1::int8"
    " /*and t.b = bucket*/ order by since, usr, hash limit $2::int8) /*and k.b = bucket*/";
constexpr std::string_view kKeep =
    "insert into keys (/*b, */since, post, usr, hash, request) select /*bucket, */$1::int8, x.* "
    "from"
    " unnest($2::int8[], $3::int4[], $4::bytea[], $5::bytea[]) x on conflict (/*b, */usr, hash)"
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

// What is asked for of one group.
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

void find_keys(Questions& questions, const far::Lacked& lacked, far::Known& known,
               StaleCounts& counts) {
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
    counts[which].clear();
    const auto groups = user != nullptr ? std::vector{placing.group_of(*user)} : placing.all();
    for (const Group group : groups) {
      questions.at(group, user != nullptr ? kCountOf : kCountOld, params_of(which, limit),
                   [&known, &counts, which = which, limit = limit, group](const Result& result) {
                     const auto count = static_cast<std::uint32_t>(result.number(0, 0));
                     counts[which][group] = count;
                     auto& all = known.stale_requests[which].count;
                     all = std::min(limit, all + count);
                   });
    }
  }
}

void write_keys(Writes& writes, const Placing& placing, const far::Written& written, Time now,
                const StaleCounts& counts) {
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
  // Of several groups the first give what they have, until there are as many.
  for (const auto& [which, count] : written.forgotten) {
    const bool of_user = std::holds_alternative<UserNumber>(which);
    std::uint32_t left = count;
    for (const auto& [group, there] : counts.at(which)) {
      const std::uint32_t here = std::min(left, there);
      if (here == 0) continue;
      writes.add(group, of_user ? kForgetOf : kForgetOld, params_of(which, here));
      left -= here;
    }
  }
}

}  // namespace chirp::postgres
