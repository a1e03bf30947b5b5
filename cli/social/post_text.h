// A post as people read it: a line of who, when and which, then the text, indented.
#pragma once

#include <string_view>

#include "cli/output.h"
#include "core/feed/page.h"
#include "core/model/post.h"
#include "core/model/user.h"
#include "core/social/posts.h"

namespace chirp::cli {

// Indented; a text may have lines of its own, everything else that steers a terminal is escaped.
void print_text(Output& out, std::string_view text);
void print_post(Output& out, const Post& post, const AuthorCard& author, Time now);
// The same, and how many answered it; of a repost, who reposted it, then the original.
void print_view(Output& out, const social::PostView& view, Time now);
// The same for an item of a feed, with why it is there and how it got there.
void print_item(Output& out, const feed::FeedItem& item, feed::Explain explain, Time now);

}  // namespace chirp::cli
