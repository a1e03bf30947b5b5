#include "tests/fuzz/posts_said.h"

#include <fmt/format.h>

namespace chirp::fuzz {
namespace {

std::string number(const std::optional<SourceId>& id) {
  return id ? std::to_string(id->value) : std::string("-");
}

}  // namespace

std::string words_of(const load::SourcePost& post) {
  holds(post.id.value <= load::kSourceIdMax || post.id.value >> 62 == 3,
        "ids have 63 bits, or are made of the row");
  holds(post.original.size() <= 1, "a repost has one original at most");
  std::string words =
      fmt::format("post {} {} {} {} {} {} {} {}", post.id.value, number(post.author_id),
                  post.username, post.display_name, post.bio, post.created_at.ms,
                  number(post.repost_of), number(post.reply_to)) +
      post.text;
  for (const load::SourceMedium& medium : post.media) {
    words += fmt::format(" medium {} {}", medium.address, medium.alt_text);
  }
  for (const load::SourcePost& original : post.original) words += " of " + words_of(original);
  return words;
}

std::string words_of(const load::SourceUser& user) {
  return fmt::format("user {} {} {} {}", user.id.value, user.username, user.display_name, user.bio);
}

Said posts_said(Bytes text, cli::input::PostFormat format) {
  using namespace cli::input;
  return read_both_ways(text, [&](TextBuffer& buffer, BadLines& bad, Said& said) {
    const PostSink sink{
        .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
          said.push_back(words_of(post));
          return std::nullopt;
        },
        .user = [&](load::SourceUser&& user) { said.push_back(words_of(user)); }};
    PostReader reader(format, bad, sink);
    const PostsRead read = reader.read(buffer, "f", Unknown::kRefused);
    said.push_back(fmt::format("{} posts, {} users", read.posts, read.users));
  });
}

}  // namespace chirp::fuzz
