// Mastodon's archives: `actor.json`, the collections `outbox.json`, `likes.json` and
// `bookmarks.json`, media files; and its CSV exports, if they are in the same folder.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/account_list.h"
#include "cli/input/html.h"
#include "cli/input/html_links.h"
#include "cli/input/notations.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/activities.h"
#include "cli/load/archive/collection.h"
#include "cli/load/archive/json_members.h"
#include "core/error.h"

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kActorMax = std::size_t{4} << 20;

class Mastodon : public Reader {
 public:
  Mastodon(std::string base, std::string actor) : base_(std::move(base)), text_(std::move(actor)) {
    json_ = parser_.parse(text_).get_object();
    actor_.id = text_in(json_, "id");
    actor_.host = input::host_of(actor_.id);
    actor_.followers = text_in(json_, "followers");
    if (actor_.followers.empty()) actor_.followers = actor_.id + "/followers";
  }

  [[nodiscard]] std::string format() const override { return "Mastodon archive"; }

  [[nodiscard]] Profile profile(Tree& tree) override {
    Profile profile;
    profile.username = text_in(json_, "preferredUsername");
    profile.id = source_key(fmt::format("{}@{}", profile.username, actor_.host));
    profile.display_name = text_in(json_, "name");
    profile.bio = bio().text;
    profile.created_at = input::parse_when(text_in(json_, "published"));
    const std::string picture = base_ + std::string(text_in(object_in(json_, "icon"), "url"));
    if (picture != base_ && tree.has(picture)) profile.picture = picture;
    return profile;
  }

  void read(Tree& tree, const Sink& sink) override {
    count_of_profile(sink);
    Activities activities(tree, base_, actor_, sink);
    input::TextBuffer buffer;
    look_at_collections(tree, buffer);
    tree.each([this](std::string_view path) { return is_read(path); },
              [&](const std::string& path, input::ByteStream& stream) {
                const std::string_view name = std::string_view(path).substr(base_.size());
                if (name.ends_with(".csv")) {
                  read_table(name, stream, buffer, sink);
                } else {
                  read_collection(name, stream, buffer, activities, sink);
                }
              });
  }

 private:
  [[nodiscard]] bool is_read(std::string_view path) const {
    if (!path.starts_with(base_)) return false;
    const std::string_view name = path.substr(base_.size());
    if (name.find('/') != std::string_view::npos) return false;
    return name == "outbox.json" || name == "likes.json" || name == "bookmarks.json" ||
           name.ends_with(".csv");
  }

  [[nodiscard]] input::HtmlText bio() const {
    return input::text_of_html(text_in(json_, "summary"), {.home = actor_.host});
  }

  // Counts the parts of the profile that chirp does not keep.
  void count_of_profile(const Sink& sink) const {
    if (const auto said = bio(); !said.problem.empty())
      sink.skip("unreadableBios", 1, said.problem);
    const auto fields = objects_in(json_, "attachment").size();
    if (fields > 0) sink.skip("profileFields", fields, "the profile has fields of its own");
    if (object_in(json_, "image").size() > 0) {
      sink.skip("profileHeaders", 1, "the profile has a picture at its head");
    }
  }

  // Call it before reading any collection: only the end of a file shows which of its lists counts.
  void look_at_collections(Tree& tree, input::TextBuffer& buffer) {
    if (!facts_.empty()) return;
    tree.each([this](std::string_view path) { return is_read(path) && path.ends_with(".json"); },
              [&](const std::string& path, input::ByteStream& stream) {
                facts_[path.substr(base_.size())] = Collection::facts_of(stream, buffer);
              });
  }

  void read_collection(std::string_view name, input::ByteStream& stream, input::TextBuffer& buffer,
                       Activities& activities, const Sink& sink) {
    const std::string file = stream.name();
    const Collection::Facts facts = facts_[std::string(name)];
    Collection items(stream, buffer, std::max<std::size_t>(facts.lists, 1));
    const std::uint64_t bad_before = sink.bad.count();
    std::uint64_t found = 0;  // including unreadable entries
    dom::parser parser;
    std::uint64_t bookmarks = 0;
    while (const auto piece = items.next()) {
      ++found;
      if (name == "outbox.json" || !piece->problem.empty()) {
        activities.take(*piece, file);
      } else if (name == "bookmarks.json") {
        ++bookmarks;
      } else if (const auto liked = sink.id(text_of_item(parser, *piece))) {
        sink.like(*liked);
      } else {
        sink.bad.add({file, piece->line}, "expected the id of a post");
      }
    }
    if (bookmarks > 0) sink.skip("bookmarks", bookmarks, file);
    found -= std::min(found, sink.bad.count() - bad_before);
    check_found(file, found, facts.total.value_or(0));
  }

  // Entries that are left out on purpose count as found. The limit of bad lines may allow half of
  // the file, but such a file is not a complete archive.
  static void check_found(const std::string& file, std::uint64_t found, std::uint64_t total) {
    if (found >= total - total / 2) return;
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("{}: {} of the {} entries that \"totalItems\" counts can be read, which "
                    "is less than half: the archive is not complete, or not understood. "
                    "Request it once more, or report its format",
                    file, found, total));
  }

  // A text of JSON, or the id of an object.
  static std::string text_of_item(dom::parser& parser, const input::JsonPiece& piece) {
    dom::element root;
    if (parser.parse(piece.text.data(), piece.text.size()).get(root) != simdjson::SUCCESS)
      return {};
    std::string_view text;
    if (root.get(text) == simdjson::SUCCESS) return std::string(text);
    dom::object object;
    return root.get(object) == simdjson::SUCCESS ? std::string(text_in(object, "id")) : "";
  }

  static void read_table(std::string_view name, input::ByteStream& stream,
                         input::TextBuffer& buffer, const Sink& sink) {
    const std::string file = stream.name();
    buffer.open(stream);
    input::AccountList list(buffer, name.substr(0, name.rfind('.')));
    if (!list.refusal().empty()) return sink.skip("otherTables", 1, file);
    list.read(file, sink.bad, [&](const input::ListedAccount& account) {
      if (const auto id = sink.user_id(account.address)) {
        sink.tie({list.tie(), *id, account.hiding_reposts});
      }
    });
  }

  std::string base_;
  std::string text_;
  dom::parser parser_;
  dom::object json_;
  Actor actor_;
  std::map<std::string, Collection::Facts> facts_;  // facts about collections, by name
};

}  // namespace

std::unique_ptr<Reader> mastodon_reader(const Tree& tree) {
  const auto base = tree.root_of("actor.json");
  if (!base || !tree.has(*base + "outbox.json")) return nullptr;
  auto text = tree.text_of(*base + "actor.json", kActorMax);
  if (!text) return nullptr;
  dom::parser parser;
  dom::object actor;
  if (parser.parse(*text).get(actor) != simdjson::SUCCESS) return nullptr;
  if (text_in(actor, "id").empty() || text_in(actor, "preferredUsername").empty()) return nullptr;
  return std::make_unique<Mastodon>(*base, std::move(*text));
}

}  // namespace chirp::cli::archive
