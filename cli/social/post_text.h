// Posts for people: a line with author, time and id, then the text, indented.
#pragma once

#include <string_view>

#include "cli/output.h"
#include "core/feed/page.h"
#include "core/model/post.h"
#include "core/model/user.h"
#include "core/social/posts.h"

namespace chirp::cli {

// Prints the text indented, with its line breaks; escapes all other control characters.
void print_text(Output& out, std::string_view text);
void print_post(Output& out, const Post& post, const AuthorCard& author, Time now);
// Prints a post with its counts. A repost shows the reposter first, then the original.
void print_view(Output& out, const social::PostView& view, Time now);
// Prints an item of a feed, with its reason and source.
void print_item(Output& out, const feed::FeedItem& item, feed::Explain explain, Time now);

}  // namespace chirp::cli
