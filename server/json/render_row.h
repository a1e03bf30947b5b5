// Writes a post for an export: the fields of a Post except those derived from its text.
#pragma once

#include "core/model/post.h"
#include "core/model/user.h"
#include "server/json/json_writer.h"

namespace chirp::api {

// Writes the fields without counters, entities and braces.
void write_post_row(JsonWriter& json, const Post& post, const AuthorCard& author);

}  // namespace chirp::api
