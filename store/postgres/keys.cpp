#include "store/postgres/keys.h"

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
    "select x.i, k.since, k.post, k.request from unnest($1::int4[], $2::bytea[]) with ordinality"
    " x(usr, hash, i) join keys k on k.usr = x.usr and k.hash = x.hash";
constexpr std::string_view kCountOf =
    "select count(*) from (select 1 from keys where usr = $1::int4 limit $2::int8) x";
constexpr std::string_view kCountOld =
    "select count(*) from (select 1 from keys where since < $1::int8 limit $2::int8) x";
constexpr std::string_view kForgetOf =
    "delete from keys where (usr, hash) in (select usr, hash from keys where usr = $1::int4"
    " order by hash limit $2::int8)";
constexpr std::string_view kForgetOld =
    "delete from keys where (usr, hash) in (select usr, hash from keys where since < $1::int8"
    " order by since, usr, hash limit $2::int8)";
constexpr std::string_view kKeep =
    "insert into keys (since, post, usr, hash, request) select $1::int8, x.* from"
    " unnest($2::int8[], $3::int4[], $4::bytea[], $5::bytea[]) x on conflict (usr, hash)"
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

}  // namespace

std::string keys_schema() {
  return "create table if not exists keys (since int8 not null, post int8 not null,"
         " usr int4 not null, hash bytea not null, request bytea not null,"
         " primary key (usr, hash));"
         " create index if not exists keys_since on keys (since, usr, hash);";
}

void find_keys(Questions& questions, const far::Lacked& lacked, far::Known& known) {
  if (!lacked.requests.empty()) {
    Array users(Type::kInt4);
    Array hashes(Type::kBytea);
    std::vector<far::RequestKey> asked(lacked.requests.begin(), lacked.requests.end());
    for (const far::RequestKey& request : asked) {
      add_key(users, request.user);
      hashes.raw(digest_of(request.key));
    }
    questions.other(kFind, Params().add(users).add(hashes),
                    [&known, asked = std::move(asked)](const Result& result) {
                      for (const far::RequestKey& request : asked)
                        known.requests[request] = std::nullopt;
                      for (int row = 0; row < result.rows(); ++row) {
                        const auto& request =
                            asked[static_cast<std::size_t>(result.number(row, 0) - 1)];
                        known.requests[request] = EarlierRequest{
                            Time{result.number(row, 1)},
                            PostId{static_cast<std::uint64_t>(result.number(row, 2))},
                            result.bytes(row, 3) == digest_of(request.canonical)};
                      }
                    });
  }
  for (const auto& [which, limit] : lacked.stale_requests) {
    const bool of_user = std::holds_alternative<UserNumber>(which);
    questions.other(
        of_user ? kCountOf : kCountOld, params_of(which, limit),
        [&known, which = which, limit = limit](const Result& result) {
          known.stale_requests[which] = {limit, static_cast<std::uint32_t>(result.number(0, 0))};
        });
  }
}

void write_keys(Connection& connection, const far::Written& written, Time now) {
  if (!written.requests.empty()) {
    Array posts(Type::kInt8);
    Array users(Type::kInt4);
    Array hashes(Type::kBytea);
    Array requests(Type::kBytea);
    for (const auto& [key, kept] : written.requests) {
      posts.number(static_cast<std::int64_t>(kept.post.value));
      add_key(users, key.first);
      hashes.raw(digest_of(key.second));
      requests.raw(digest_of(kept.canonical));
    }
    connection.send(kKeep, Params().int8(now.ms).add(posts).add(users).add(hashes).add(requests));
  }
  for (const auto& [which, count] : written.forgotten) {
    if (count == 0) continue;
    const bool of_user = std::holds_alternative<UserNumber>(which);
    connection.send(of_user ? kForgetOf : kForgetOld, params_of(which, count));
  }
}

}  // namespace chirp::postgres
