// What an export writes of a post: the fields of a Post without what is derived from its text.
#pragma once

#include "core/model/post.h"
#include "core/model/user.h"
#include "server/json/json_writer.h"

namespace chirp::api {

// Without counters, entities and the braces.
void write_post_row(JsonWriter& json, const Post& post, const AuthorCard& author);

}  // namespace chirp::api
