#include "cli/blocks.h"

#include <string>

#include <fmt/format.h>

#include "server/api/render.h"

namespace chirp::cli {
namespace {

constexpr std::string_view kIndent = "    ";

// A text may have lines of its own; everything else that steers a terminal is escaped.
void print_text(Output& out, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    std::string line;
    std::string_view rest = text.substr(0, end);
    for (std::size_t tab = rest.find('\t'); tab != std::string_view::npos; tab = rest.find('\t')) {
      line += safe(rest.substr(0, tab)) + "  ";
      rest.remove_prefix(tab + 1);
    }
    line += safe(rest);
    out.print(fmt::format("{}{}\n", kIndent, line));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view explained(feed::Source source) {
  switch (source) {
    case feed::Source::kPushed:
      return "pushed to the timeline when it was posted";
    case feed::Source::kPulled:
      return "pulled from the author's posts by this read";
    case feed::Source::kPending:
      return "pending: so new that its delivery has yet to run";
    case feed::Source::kBackfilled:
      return "backfilled by a follow or a rebuild";
    case feed::Source::kBelowCap:
      return "older than what the timeline keeps";
  }
  return {};
}

}  // namespace

void print_post(Output& out, const Post& post, const AuthorCard& author, Time now) {
  std::string head = out.ink(Ink::kName, "@" + safe(author.username));
  if (author.display_name != author.username) head += " " + safe(author.display_name);
  head +=
      out.ink(Ink::kDim, fmt::format(" · {} · {}", when(out, post.created_at, now), post.id.value));
  if (post.privacy != Privacy::kPublic) {
    head += out.ink(Ink::kDim, fmt::format(" · {}", api::name(post.privacy)));
  }
  out.print(head + "\n");
  print_text(out, post.text);
}

void print_item(Output& out, const feed::FeedItem& item, feed::Explain explain, Time now) {
  print_post(out, item.post, item.author, now);
  if (explain == feed::Explain::kNo) return;
  const std::string why = item.reason == feed::Reason::kSelf
                              ? "own post"
                              : fmt::format("follows @{}", safe(item.author.username));
  out.print(out.ink(Ink::kDim, fmt::format("{}[{}; {}]", kIndent, why, explained(item.source))));
  out.print("\n");
}

}  // namespace chirp::cli
