// Posts as text: JSON Lines, JSON arrays, CSV and TSV with a header.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/ids.h"
#include "cli/input/json_objects.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "cli/input/understood.h"
#include "core/load/source.h"
#include "core/model/nearest.h"

namespace chirp::cli::input {

enum class PostFormat : std::uint8_t { kAuto, kJsonLines, kCsv, kTwitter };

inline constexpr std::array<Choice<PostFormat>, 4> kPostFormats{
    {{"auto", PostFormat::kAuto},
     {"jsonl", PostFormat::kJsonLines},
     {"csv", PostFormat::kCsv},
     {"twitter", PostFormat::kTwitter}}};

// Receives posts and names, in their order.
struct PostSink {
  // Returns what is wrong with the post, if anything; its line is then bad.
  std::function<std::optional<std::string>(load::SourcePost&&, const InputPlace&)> post;
  std::function<void(load::SourceUser&&)> user;
  // Returns what is wrong with a user, if anything; called before `user`. May be empty.
  std::function<std::optional<std::string>(const load::SourceUser&)> check_user{};
  // Returns what is wrong with a protected user whom a post names, if anything; called before the
  // post. May be empty.
  std::function<std::optional<std::string>(const ProtectedUser&)> protected_user{};
  // Called for each row that is left out without being a fault, such as a direct message. May be
  // empty.
  std::function<void(const LeftOut&, const InputPlace&)> left_out{};
  // Called if the author of a post has deleted it. May be empty.
  std::function<void(const Deletion&, const InputPlace&)> deletion{};
  IdCells ids{};  // reads their ids
  TellUnderstood understood{};
};

// Whether a text that holds something else is skipped or refused.
enum class Unknown : std::uint8_t { kRefused, kSkipped };

struct PostsRead {
  std::uint64_t posts = 0;
  std::uint64_t users = 0;     // objects that only have names of users
  std::uint64_t left_out = 0;  // including deletions
  bool skipped = false;        // the text held neither, and was skipped
  std::string why{};           // why it was skipped, as a clause
};

class PostReader {
 public:
  // `layout` applies to tables.
  PostReader(PostFormat format, BadLines& bad, const PostSink& sink, TableLayout layout = {});
  ~PostReader();

  // Sets the author of posts without one in later texts; empty: none. The name becomes the username
  // and the display name, or the author's id if it can't be a username.
  void set_author(std::string name);
  // Reads everything in `buffer`; `name` is for messages.
  PostsRead read(TextBuffer& buffer, std::string_view name, Unknown unknown);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

// Reads a table of users with a header (`id`, `name` or `screen_name`, …; CSV or TSV). Throws
// Error{kBadInput} if the header has no column of ids or none of names. Returns the number of rows.
std::uint64_t read_names(TextBuffer& buffer, std::string_view name, BadLines& bad,
                         const std::function<void(load::SourceUser&&)>& sink,
                         const IdCells& ids = {});

// Whether a text begins with the header of such a table.
[[nodiscard]] bool may_be_names(TextBuffer& buffer);

}  // namespace chirp::cli::input
