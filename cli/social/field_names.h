// The field names of objects in lists, as in docs/openapi.yaml and in the order of writing.
#pragma once

#include "cli/lists/fields.h"
#include "core/feed/page.h"

namespace chirp::cli {

[[nodiscard]] FieldNames user_fields();      // with the e-mail address, which the operator may see
[[nodiscard]] FieldNames followed_fields();  // in a list of follows
[[nodiscard]] FieldNames liker_fields();
[[nodiscard]] FieldNames comment_fields();  // as the operator sees them: without `liked`
[[nodiscard]] FieldNames notification_fields();
[[nodiscard]] FieldNames trend_fields();
[[nodiscard]] FieldNames post_fields();  // as the operator sees them, with the original of a repost

enum class Ranked : std::uint8_t { kNo, kYes };
[[nodiscard]] FieldNames item_fields(Ranked ranked, feed::Explain explain);

}  // namespace chirp::cli
