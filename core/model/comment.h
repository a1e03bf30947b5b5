// A comment under a post; `parent` links a reply to the comment that it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ids.h"
#include "core/model/source_key.h"

namespace chirp {

enum class CommentState : std::uint8_t {
  kThere = 0,
  kRemoved = 1,  // it had replies: its place remains, without author and text
};

struct Comment {
  CommentId id;
  PostId post;                      // never a repost
  UserNumber author;                // kNobody after removal
  std::string text;                 // NFC
  CommentId parent{};               // kNoComment at the top
  Time created_at;                  // when it was written
  std::optional<SourceKey> source;  // for loaded comments
  CommentState state = CommentState::kThere;

  bool operator==(const Comment&) const = default;
};

}  // namespace chirp
