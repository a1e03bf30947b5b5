// The fields of the objects in lists, as docs/openapi.yaml has them, in the order they are written.
#pragma once

#include "cli/lists/fields.h"
#include "core/feed/page.h"

namespace chirp::cli {

[[nodiscard]] FieldNames user_fields();      // with the e-mail address, as the operator sees it
[[nodiscard]] FieldNames followed_fields();  // in a list of follows
[[nodiscard]] FieldNames liker_fields();
[[nodiscard]] FieldNames comment_fields();  // to the operator, who likes nothing
[[nodiscard]] FieldNames notification_fields();
[[nodiscard]] FieldNames trend_fields();
[[nodiscard]] FieldNames post_fields();  // to the operator, with what a repost shows

enum class Ranked : std::uint8_t { kNo, kYes };
[[nodiscard]] FieldNames item_fields(Ranked ranked, feed::Explain explain);

}  // namespace chirp::cli
