// Cursors of lists, opaque to clients: base64url without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/reaction.h"
#include "core/ports/user_directory.h"
#include "core/social/comments.h"

namespace chirp::api {

[[nodiscard]] std::string base64url(std::string_view bytes);
// Empty for a text that base64url() never writes.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

// Continues after this username, in a list by username.
[[nodiscard]] std::string name_cursor(std::string_view username);
[[nodiscard]] std::optional<std::string> parse_name_cursor(std::string_view cursor);

// Continues after this session.
[[nodiscard]] std::string session_cursor(const Session& session);
[[nodiscard]] std::optional<Session> parse_session_cursor(std::string_view cursor);

// Continues after this user, in a list in order of creation.
[[nodiscard]] std::string number_cursor(UserNumber number);
[[nodiscard]] std::optional<UserNumber> parse_number_cursor(std::string_view cursor);

// Continues after this user, in a post's list of reactions; valid for that type only.
[[nodiscard]] std::string likers_cursor(std::optional<ReactionType> type, UserNumber number);
// Empty for a cursor of another list.
[[nodiscard]] std::optional<UserNumber> parse_likers_cursor(std::optional<ReactionType> type,
                                                            std::string_view cursor);

// Continues after this comment; valid for that order only.
[[nodiscard]] std::string comments_cursor(social::CommentSort sort,
                                          const social::CommentCursor& place);
[[nodiscard]] std::optional<social::CommentCursor> parse_comments_cursor(social::CommentSort sort,
                                                                         std::string_view cursor);

}  // namespace chirp::api
