// The report of a dry run about its files: how each was understood, and its first rows as they were
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/input/understood.h"
#include "cli/output.h"
#include "core/load/source.h"
#include "core/load/words.h"

namespace chirp::cli {

// Names and values, such as `author` and `mira`.
using PreviewRow = std::vector<std::pair<std::string, std::string>>;

class Preview {
 public:
  // Files of the same format share one report; at most this many reports.
  static constexpr std::size_t kWays = 20;

  // Starts the report of another text.
  void begin(std::string name, std::string_view encoding);
  void understood(input::Understood&& what);
  // Whether to show one more row of the text; row() adds it.
  [[nodiscard]] bool wants_row() const;
  void row(PreviewRow&& row);

  void print(Output& out);
  // Writes the field `inputs` of the open object.
  void write(api::JsonWriter& json);

 private:
  struct Way {
    std::string name;  // of the first text
    std::string encoding;
    input::Understood what;
    std::vector<PreviewRow> rows;  // of the first text
    std::uint64_t texts = 1;
  };

  void close();

  std::string name_;
  std::string encoding_;
  std::optional<Way> open_;
  std::vector<Way> ways_;
  std::uint64_t others_ = 0;  // texts that are understood in other ways
};

// The fields of a post that the source gives; ids that are words are those of `words`.
[[nodiscard]] PreviewRow row_of(const load::SourcePost& post, const load::Words& words);

}  // namespace chirp::cli
