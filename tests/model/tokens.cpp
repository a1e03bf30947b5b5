// API tokens of the user directory in memory.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "store/secrets.h"
#include "tests/model/user_directory.h"

namespace chirp::model {
namespace {

std::string session_id(std::string_view token) {
  return store::sha256(token).substr(0, store::kSessionIdSize);
}

}  // namespace

std::string ModelUserDirectory::add_token(UserNumber user, Time now,
                                          std::optional<Time> expires_at) {
  if (!rows_.contains(user) || leaving_.contains(user)) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more.");
  }
  const std::string token = store::random_token();
  tokens_[token] = {user, expires_at, now};
  if (expires_at) forget_oldest_token(user, token, now);
  return token;
}

void ModelUserDirectory::forget_oldest_token(UserNumber user, std::string_view newest, Time now) {
  const auto goes_before = [&](const Token& a, const Token& b) {
    const bool is_over = *a.expires_at <= now;
    return is_over != (*b.expires_at <= now) ? is_over : a.created_at < b.created_at;
  };
  auto oldest = tokens_.end();
  std::size_t others = 0;
  for (auto at = tokens_.begin(); at != tokens_.end(); ++at) {
    if (at->second.user != user || !at->second.expires_at || at->first == newest) continue;
    ++others;
    if (oldest == tokens_.end() || goes_before(at->second, oldest->second)) oldest = at;
  }
  if (others < limits::kSessionsMax) return;
  tokens_.erase(oldest);
  ++version_;
}

std::optional<HeldToken> ModelUserDirectory::held_token(std::string_view token, Time now) const {
  const auto found = tokens_.find(token);
  if (found == tokens_.end() || leaving_.contains(found->second.user)) return std::nullopt;
  if (found->second.expires_at && *found->second.expires_at <= now) return std::nullopt;
  return HeldToken{found->second.user, found->second.expires_at};
}

std::uint64_t ModelUserDirectory::revoke(const RevokedTokens& which) {
  ++version_;
  return std::erase_if(tokens_, [&](const auto& row) {
    const auto& [token, kept] = row;
    if (const auto* one = std::get_if<std::string_view>(&which)) return token == *one;
    if (const auto* all = std::get_if<AllTokens>(&which)) {
      return kept.user == all->user && token != all->kept;
    }
    const auto& session = std::get<SessionToken>(which);
    return kept.user == session.user && session_id(token) == session.session;
  });
}

std::vector<Session> ModelUserDirectory::sessions(UserNumber user, std::string_view asking,
                                                  Time now, const std::optional<Session>& after,
                                                  std::uint32_t limit) const {
  const auto before = [](const Session& a, const Session& b) {
    return a.created_at != b.created_at ? b.created_at < a.created_at : a.id < b.id;
  };
  std::vector<Session> sessions;
  for (const auto& [token, row] : tokens_) {
    if (row.user != user || (row.expires_at && *row.expires_at <= now)) continue;
    Session session{session_id(token), row.created_at, row.expires_at, token == asking};
    if (!after || before(*after, session)) sessions.push_back(std::move(session));
  }
  std::sort(sessions.begin(), sessions.end(), before);
  if (sessions.size() > limit) sessions.resize(limit);
  return sessions;
}

}  // namespace chirp::model
