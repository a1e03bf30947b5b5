// A comment under a post: one level of a thread points to the next by `parent`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ids.h"
#include "core/model/source_key.h"

namespace chirp {

enum class CommentState : std::uint8_t {
  kThere = 0,
  kRemoved = 1,  // it had replies: it keeps its place, without author and text
};

struct Comment {
  CommentId id;
  PostId post;                      // never a repost
  UserNumber author;                // kNobody once removed
  std::string text;                 // NFC
  CommentId parent{};               // kNoComment at the top
  Time created_at;                  // of writing
  std::optional<SourceKey> source;  // of what came by a load
  CommentState state = CommentState::kThere;

  bool operator==(const Comment&) const = default;
};

}  // namespace chirp
