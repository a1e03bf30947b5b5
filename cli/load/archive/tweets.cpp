#include "cli/load/archive/tweets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/input/json_objects.h"
#include "cli/load/archive/json_members.h"
#include "core/limits.h"
#include "core/model/utf8.h"

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

// Replaces short links by their addresses, as long as the text does not become too long.
void expand_links(const dom::object& tweet, std::string& text) {
  std::vector<ShortLink> links;
  for (const dom::object link : objects_in(object_in(tweet, "entities"), "urls")) {
    links.push_back({text_in(link, "url"), text_in(link, "expanded_url")});
  }
  expand(links, text, limits::kLoadedTextMax);
}

std::vector<dom::object> media_of(const dom::object& tweet) {
  auto media = objects_in(object_in(tweet, "extended_entities"), "media");
  return media.empty() ? objects_in(object_in(tweet, "entities"), "media") : media;
}

// The possible addresses of a medium's file: a video has one for each size.
std::vector<std::string_view> addresses_of(const dom::object& medium) {
  std::vector<std::string_view> addresses;
  for (const dom::object variant : objects_in(object_in(medium, "video_info"), "variants")) {
    addresses.push_back(text_in(variant, "url"));
  }
  addresses.push_back(text_in(medium, "media_url_https"));
  addresses.push_back(text_in(medium, "media_url"));
  return addresses;
}

std::string_view last_name(std::string_view address) {
  address = address.substr(0, address.find_first_of("?#"));
  return address.substr(address.rfind('/') + 1);
}

void trim_end(std::string& text) { text.erase(text.find_last_not_of(" \t\r\n") + 1); }

// Cuts the links to media off the end of a text, and returns them unchanged.
std::string cut_media_links(const dom::object& tweet, std::string& text) {
  const std::string all = text;
  bool found = false;
  for (bool again = true; std::exchange(again, false);) {
    for (const dom::object medium : media_of(tweet)) {
      const std::string_view link = text_in(medium, "url");
      trim_end(text);
      if (link.empty() || !text.ends_with(link)) continue;
      text.erase(text.size() - link.size());
      again = found = true;
    }
  }
  trim_end(text);
  return found ? all.substr(text.size()) : "";
}

}  // namespace

struct Tweets::Parser {
  dom::parser json;
  input::JsonObjects objects{input::Escapes::kHtml};
  input::IdCells ids;
  std::string inner;  // without the envelope

  void read_media(const Tweets& tweets, const dom::object& tweet, load::SourcePost& post) const {
    const std::string id = fmt::to_string(post.id.value);
    std::string text = post.text;
    bool complete = true;
    for (const dom::object medium : media_of(tweet)) {
      load::SourceMedium taken;
      for (const std::string_view address : addresses_of(medium)) {
        if (taken.file.empty()) taken.file = tweets.file_of(id, address);
      }
      taken.link = text_in(medium, "url");
      taken.alt_text = text_in(medium, "ext_alt_text");
      if (taken.file.empty()) {
        complete = false;
        tweets.sink_.skip("mediaWithoutFile", 1, fmt::format("{}: not in the archive", taken.link));
        continue;
      }
      replace(text, taken.link, {});
      post.media.push_back(std::move(taken));
    }
    if (post.media.empty() || !complete) return;  // the link leads to the missing medium
    trim_end(text);
    post.text = std::move(text);
  }
};

Tweets::Tweets(const Tree& tree, const std::vector<std::string>& media_folders, const Sink& sink,
               Privacy privacy, LongTweets& long_tweets)
    : sink_(sink),
      privacy_(privacy),
      long_tweets_(long_tweets),
      parser_(std::make_unique<Parser>()) {
  for (const std::string& path : tree.paths()) {
    const auto holds = [&](const std::string& folder) { return path.starts_with(folder); };
    const auto folder = std::ranges::find_if(media_folders, holds);
    if (folder != media_folders.end()) media_.emplace(path.substr(folder->size()), path);
  }
}
Tweets::~Tweets() = default;

std::string Tweets::file_of(const std::string& id, std::string_view address) const {
  const auto at = media_.find(fmt::format("{}-{}", id, last_name(address)));
  return at == media_.end() ? std::string() : at->second;
}

// Stores a retweet's original under its author's account, unless only a name identifies the author,
// or the original was for followers. Then the retweet keeps its own text. In the second case it is
// visible to the account only.
void Tweets::take_original(const dom::object& inner, load::SourcePost& post,
                           const input::InputPlace& place) {
  if (post.original.empty()) return;
  load::SourcePost& original = post.original.front();
  original.media.clear();  // the archive has none of its files
  const bool hidden = original.privacy != Privacy::kPublic;
  if (!hidden && original.author_id) return expand_links(inner, original.text);
  sink_.skip(hidden ? "protectedOriginals" : "namelessOriginals", 1,
             fmt::format("{}:{}: {}", place.name, place.line, original.id.value));
  post.original.clear();
}

void Tweets::take(const input::JsonPiece& piece, const std::string& file) {
  const input::InputPlace place{file, piece.line};
  if (!piece.problem.empty()) return sink_.bad.add(place, piece.problem);
  dom::element root;
  constexpr bool kCopied = false;  // the buffer has padding after the text
  const auto code = parser_->json.parse(piece.text.data(), piece.text.size(), kCopied).get(root);
  dom::object tweet;
  if (code != simdjson::SUCCESS || root.get(tweet) != simdjson::SUCCESS) {
    return sink_.bad.add(place,
                         code == simdjson::SUCCESS
                             ? std::string("no tweet")
                             : fmt::format("not valid JSON: {}", simdjson::error_message(code)));
  }
  if (const dom::object inner = object_in(tweet, "tweet"); inner.size() > 0) tweet = inner;
  parser_->inner = simdjson::minify(tweet);
  parser_->inner.reserve(parser_->inner.size() + input::TextBuffer::kPadding);
  input::JsonObject read;
  parser_->objects.read(parser_->inner, parser_->ids, [&](input::JsonObject&& object) {
    read = std::move(object);
    return true;
  });
  if (const auto* const wrong = std::get_if<input::Unusable>(&read)) {
    return sink_.bad.add(place, wrong->why);
  }
  if (const auto* const left_out = std::get_if<input::LeftOut>(&read)) {
    return sink_.skip(left_out->kind, 1, fmt::format("{}:{}", place.name, place.line));
  }
  auto* const post = std::get_if<load::SourcePost>(&read);
  if (post == nullptr) return sink_.bad.add(place, "no tweet: it has no text");
  post->author_id.reset();
  post->username.clear();
  post->media.clear();  // a tweet has files of the archive, and no addresses
  expand_links(tweet, post->text);
  take_original(object_in(tweet, "retweeted_status"), *post, place);
  std::string beginning = post->text;
  const std::string media_links = cut_media_links(tweet, beginning);
  if (auto whole = long_tweets_.whole(*post, beginning, place)) {
    post->text = *std::move(whole);
    if (utf8::length(post->text) + utf8::length(media_links) <= limits::kLoadedTextMax) {
      post->text += media_links;  // otherwise omitted media are counted
    }
  }
  parser_->read_media(*this, tweet, *post);
  post->privacy = std::max(post->privacy, privacy_);
  sink_.post(std::move(*post), place);
}

}  // namespace chirp::cli::archive
