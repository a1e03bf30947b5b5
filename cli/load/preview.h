// What a dry run says of its files: what each was understood as, and its first rows as they were
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

namespace chirp::cli {

// Names and values, as `author` and `mira`.
using PreviewRow = std::vector<std::pair<std::string, std::string>>;

class Preview {
 public:
  // Files of the same format share one report; at most this many reports.
  static constexpr std::size_t kWays = 20;

  // Another text begins.
  void begin(std::string name, std::string_view encoding);
  void understood(input::Understood&& what);
  // Whether one more of the text's rows is shown, and that row.
  [[nodiscard]] bool wants_row() const;
  void row(PreviewRow&& row);

  void print(Output& out);
  // The field `inputs` of the object that is open.
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
  std::uint64_t others_ = 0;  // texts that are understood in yet more ways
};

}  // namespace chirp::cli
