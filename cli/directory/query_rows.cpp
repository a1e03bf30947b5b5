#include "cli/directory/query_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <poll.h>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/table.h"
#include "core/error.h"
#include "server/json/json_writer.h"

namespace chirp::cli {
namespace {

using query::Query;
using query::ValueKind;

constexpr std::size_t kGather = std::size_t{32} << 10;
constexpr std::size_t kPiece = 4096;  // a pipe that is writable has room for this
constexpr int kLookMs = 100;
constexpr std::size_t kTableBytes = std::size_t{1} << 20;  // approximate size of its rows

// Waits for the reader no longer than the query may run. Only buffers if output is held back.
class PatientOutput {
 public:
  PatientOutput(Output& out, const query::QueryDeadline& deadline)
      : out_(out), deadline_(deadline) {}

  void print(std::string_view text) {
    gathered_ += text;
    if (gathered_.size() >= kGather) drain();
  }
  void drain() {
    std::string_view left = gathered_;
    if (out_.held()) {
      out_.print(left);
      left = {};
    }
    while (!left.empty() && !out_.closed()) {
      wait();
      out_.print(left.substr(0, kPiece));
      out_.flush();
      left.remove_prefix(std::min(left.size(), kPiece));
    }
    gathered_.clear();
  }
  [[nodiscard]] Output& out() { return out_; }

 private:
  void wait() const {
    pollfd reader{STDOUT_FILENO, POLLOUT, 0};
    while (::poll(&reader, 1, kLookMs) <= 0) deadline_.check();
  }

  Output& out_;
  const query::QueryDeadline& deadline_;
  std::string gathered_;
};

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// For people and CSV: NULL is an empty text, and a blob is an SQL literal.
std::string text_of(const Query& query, std::size_t column) {
  switch (query.kind(column)) {
    case ValueKind::kNull:
      return {};
    case ValueKind::kInteger:
      return std::to_string(query.integer(column));
    case ValueKind::kReal:
      return fmt::format("{}", query.real(column));
    case ValueKind::kText:
      return std::string(query.bytes(column));
    case ValueKind::kBlob:
      return fmt::format("x'{}'", hexadecimal(query.bytes(column)));
  }
  return {};
}

std::vector<std::string> texts_of(const Query& query, std::size_t columns) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns; ++i) texts.push_back(text_of(query, i));
  return texts;
}

class RowPrinter {
 public:
  virtual ~RowPrinter() = default;
  virtual void row(PatientOutput& out, const Query& query) = 0;
  virtual void end(PatientOutput& out) = 0;
};

class Tabs final : public RowPrinter {
 public:
  explicit Tabs(std::size_t columns) : columns_(columns) {}
  void row(PatientOutput& out, const Query& query) override {
    std::string line;
    for (std::size_t i = 0; i < columns_; ++i) {
      if (i > 0) line += '\t';
      line += safe(text_of(query, i));
    }
    out.print(line + "\n");
  }
  void end(PatientOutput& /*out*/) override {}

 private:
  std::size_t columns_;
};

class Csv final : public RowPrinter {
 public:
  Csv(PatientOutput& out, const std::vector<std::string>& columns) : columns_(columns.size()) {
    out.print(csv_row(columns));
  }
  void row(PatientOutput& out, const Query& query) override {
    out.print(csv_row(texts_of(query, columns_)));
  }
  void end(PatientOutput& /*out*/) override {}

 private:
  std::size_t columns_;
};

// Prints a table for each block of rows, with equal column widths.
class Tables final : public RowPrinter {
 public:
  explicit Tables(const std::vector<std::string>& columns) : columns_(columns) { begin(); }
  void row(PatientOutput& out, const Query& query) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ValueKind kind = query.kind(i);
      if (kind == ValueKind::kText || kind == ValueKind::kBlob) aligns_[i] = Align::kLeft;
    }
    rows_.push_back(texts_of(query, columns_.size()));
    for (const std::string& text : rows_.back()) bytes_ += text.size();
    if (rows_.size() == kTableRows || bytes_ >= kTableBytes) end(out);
  }
  void end(PatientOutput& out) override {
    if (rows_.empty() && printed_) return;
    printed_ = true;
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) columns.push_back({columns_[i], aligns_[i]});
    TextTable table(std::move(columns));
    for (auto& row : rows_) table.row(std::move(row));
    out.drain();
    table.print(out.out());
    begin();
  }

 private:
  void begin() {
    rows_.clear();
    bytes_ = 0;
    aligns_.assign(columns_.size(), Align::kRight);
  }

  std::vector<std::string> columns_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t bytes_ = 0;  // of the buffered rows
  bool printed_ = false;   // whether a block, with the titles, was printed
};

// Prints `{"rows":[{"a":1},…]}` in pieces.
class Json final : public RowPrinter {
 public:
  Json(PatientOutput& out, const std::vector<std::string>& columns) {
    std::set<std::string_view> seen;
    for (const std::string& column : columns) {
      if (!seen.insert(column).second) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("Two columns are called {}, which JSON can't tell apart. Name one "
                                "of them with AS.",
                                column));
      }
      api::JsonWriter name;
      name.string(column);
      names_.push_back(name.take() + ":");
    }
    out.print(R"({"rows":[)");
  }
  void row(PatientOutput& out, const Query& query) override {
    api::JsonWriter json;
    json.begin_object();
    for (std::size_t i = 0; i < names_.size(); ++i) json.fields(names_[i] + value_of(query, i));
    json.end_object();
    out.print((first_ ? "" : ",") + json.take());
    first_ = false;
  }
  void end(PatientOutput& out) override { out.print("]}\n"); }

 private:
  static std::string value_of(const Query& query, std::size_t column) {
    constexpr std::int64_t kExact = std::int64_t{1} << 53;  // exact in every JSON reader
    api::JsonWriter json;
    switch (query.kind(column)) {
      case ValueKind::kNull:
        json.null();
        break;
      case ValueKind::kInteger: {
        const std::int64_t value = query.integer(column);
        if (value > kExact || value < -kExact) {
          json.string(std::to_string(value));
        } else {
          json.integer(value);
        }
        break;
      }
      case ValueKind::kReal:
        if (std::isfinite(query.real(column))) {
          json.real(query.real(column));
        } else {
          json.null();
        }
        break;
      case ValueKind::kText:
        json.string(query.bytes(column));
        break;
      case ValueKind::kBlob:
        json.string(hexadecimal(query.bytes(column)));
        break;
    }
    return json.take();
  }

  std::vector<std::string> names_;
  bool first_ = true;
};

std::unique_ptr<RowPrinter> printer_of(PatientOutput& out, const std::vector<std::string>& columns,
                                       RowForm form) {
  switch (form) {
    case RowForm::kTable:
      return std::make_unique<Tables>(columns);
    case RowForm::kTabs:
      return std::make_unique<Tabs>(columns.size());
    case RowForm::kCsv:
      return std::make_unique<Csv>(out, columns);
    case RowForm::kJson:
      return std::make_unique<Json>(out, columns);
  }
  return nullptr;
}

}  // namespace

void print_rows(Output& to, Query& query, RowForm form, Overtime& overtime) {
  PatientOutput out(to, query.deadline());
  const auto printer = printer_of(out, query.columns(), form);
  // The rows found so far are valid results.
  const std::function<void()> print_rest = [&] {
    if (form == RowForm::kTable) printer->end(out);
    out.drain();
  };
  const auto next = [&] { return query.next(); };
  try {
    while (!to.closed() && overtime.during(print_rest, next)) printer->row(out, query);
    printer->end(out);
  } catch (const Error&) {
    print_rest();
    throw;
  }
  out.drain();
}

}  // namespace chirp::cli
