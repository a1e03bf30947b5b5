#include "cli/social/post_text.h"

#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include "cli/fitted.h"
#include "core/model/upload.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace {

constexpr std::string_view kIndent = "    ";

std::string_view explained(feed::Source source) {
  switch (source) {
    case feed::Source::kPushed:
      return "pushed to the timeline when it was posted";
    case feed::Source::kPulled:
      return "pulled from the author's posts by this read";
    case feed::Source::kPending:
      return "pending: so new that it was not delivered yet";
    case feed::Source::kBackfilled:
      return "backfilled by a follow or a rebuild";
    case feed::Source::kBelowCap:
      return "older than what the timeline keeps";
  }
  return {};
}

std::string why(const feed::FeedItem& item) {
  switch (item.reason) {
    case feed::Reason::kSelf:
      return item.entry == item.post->id ? "own post" : "own repost";
    case feed::Reason::kRepost:
      return fmt::format("follows @{}, who reposted it",
                         safe(item.reposted_by.front().user->username));
    case feed::Reason::kFollow:
      break;
  }
  return fmt::format("follows @{}", safe(item.author->username));
}

// Prints a remark below a post's text.
void print_aside(Output& out, const std::string& text) {
  const std::string lines = wrapped(text, out.columns(), {kIndent.size(), kIndent.size()});
  out.print(fmt::format("{}{}\n", kIndent, out.ink(Ink::kDim, lines)));
}

void print_reposters(Output& out, std::span<const feed::Reposter> reposters) {
  if (reposters.empty()) return;
  std::string names;
  for (const feed::Reposter& reposter : reposters) {
    names += (names.empty() ? "@" : ", @") + safe(reposter.user->username);
  }
  print_aside(out, "reposted by " + names);
}

// The counts that are not 0, `3 reactions · 1 comment`; empty if all are 0.
void print_counts(Output& out, const ContentCounters& counters) {
  std::string counts;
  const auto add = [&](std::int64_t count, std::string_view one, std::string_view many) {
    if (count <= 0) return;
    counts += (counts.empty() ? "" : " · ") + counted(static_cast<std::uint64_t>(count), one, many);
  };
  add(counters.reactions_in_all(), "reaction", "reactions");
  add(counters.comments, "comment", "comments");
  add(counters.reposts, "repost", "reposts");
  if (!counts.empty()) print_aside(out, counts);
}

}  // namespace

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
    out.print(fmt::format("{}{}\n", kIndent,
                          wrapped(line, out.columns(), {kIndent.size(), kIndent.size()})));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void print_post(Output& out, const Post& post, const AuthorCard& author, Time now) {
  std::string head = out.ink(Ink::kName, "@" + safe(author.username));
  if (author.display_name != author.username) head += " " + safe(author.display_name);
  head +=
      out.ink(Ink::kDim, fmt::format(" · {} · {}", when(out, post.created_at, now), post.id.value));
  if (post.privacy != Privacy::kPublic) {
    head += out.ink(Ink::kDim, fmt::format(" · {}", chirp::name(post.privacy)));
  }
  out.print(head + "\n");
  if (!post.text.empty() || post.media.empty()) print_text(out, post.text);
  for (const Medium& medium : post.media) {
    const std::string address =
        medium.upload == MediaId{} ? safe(medium.address) : address_of(medium.upload);
    const std::string shows = medium.alt_text.empty() ? "" : " · " + safe(medium.alt_text);
    print_aside(out, address + shows);
  }
}

void print_view(Output& out, const social::PostView& view, Time now) {
  if (!view.original) {
    print_post(out, view.post, view.author, now);
    print_counts(out, view.stats.counters);
    return;
  }
  out.print(fmt::format(
      "{}{}\n", out.ink(Ink::kName, "@" + safe(view.author.username)),
      out.ink(Ink::kDim, fmt::format(" reposted · {} · {}", when(out, view.post.created_at, now),
                                     view.post.id.value))));
  print_post(out, *view.original, *view.original_author, now);
  print_counts(out, view.stats.counters);
}

void print_item(Output& out, const feed::FeedItem& item, feed::Explain explain, Time now) {
  print_post(out, *item.post, *item.author, now);
  print_reposters(out, item.reposted_by);
  if (explain == feed::Explain::kNo) return;
  if (item.score) {
    const feed::ScoreParts& parts = item.score->parts;
    print_aside(out, fmt::format("[score {:.3f}: recency {:.3f}, engagement {:.3f}, affinity "
                                 "{:.3f}, variety {:.3f}]",
                                 item.score->total, parts.recency, parts.engagement, parts.affinity,
                                 parts.variety));
  }
  print_aside(out, fmt::format("[{}; {}]", why(item), explained(item.source)));
}

}  // namespace chirp::cli
