// What loads from files have in common: the files one after the other with their members, bad
// lines, progress, and the summary at the end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "cli/context.h"
#include "cli/input/bad_lines.h"
#include "cli/input/encoding.h"
#include "cli/input/ids.h"
#include "cli/input/lines.h"
#include "cli/input/named_ties.h"
#include "cli/input/source.h"
#include "cli/load/preview.h"
#include "cli/load/summary.h"
#include "cli/load/trial.h"
#include "cli/progress.h"
#include "core/load/turns.h"

namespace chirp::cli {

// What every load is told of its files.
struct LoadInput {
  std::vector<std::string> files;
  std::optional<std::string> max_errors;
  std::string encoding = "utf-8";
  bool dry_run = false;
};

class LoadSession {
 public:
  // `rows` is the word for what is loaded. Throws Error{kBadInput} if a file can't be opened,
  // before anything is read.
  LoadSession(Context& context, std::string rows, const LoadInput& input);

  [[nodiscard]] bool is_dry() const { return dry_; }
  // Of a dry run: what there is to compare with, which may be nothing yet; ids that are words
  // are those of `words`, which may be null.
  [[nodiscard]] Existing existing(const load::Words* words);
  // Of a dry run: what it says of its files. A load tells it nothing.
  [[nodiscard]] Preview& preview() { return preview_; }
  [[nodiscard]] input::TellUnderstood tell_understood();

  [[nodiscard]] input::BadLines& bad() { return bad_; }
  // Gives way to other writers between transactions, and shows progress.
  [[nodiscard]] load::Pause pause();
  // Says something on stderr, where progress is shown.
  void warn(std::string_view words);
  // Counts what is passed over without being a fault, by a name for programs such as
  // "unreadableOriginals", and says it with --verbose. From the thread that reads.
  void count(const std::string& name, std::string_view words, std::uint64_t times = 1);
  // The same, and says the first of each name in any case.
  void remark(const std::string& name, std::string_view words);
  // So many rows will be read in all, of files whose bytes are read more than once: progress goes
  // by the rows then.
  void expect(std::uint64_t rows) { expected_ = rows; }
  // So many more rows have been read; shows progress.
  void read(std::uint64_t rows);

  // Opens each member of each file in the buffer, one after the other. A folder's files are those
  // in it and in the folders in it.
  using MemberReader = std::function<void(const input::Source&, input::TextBuffer&)>;
  void each_member(const MemberReader& read_member);
  // The same for one more file, which counts neither for progress nor in the summary.
  void each_member_of(const std::string& file, const MemberReader& read);

  // What a load is: `work` reads everything; then the rest is stored with `finish`, and the summary
  // printed. A bad line too many ends it, and so does a store that fails, as on a full disk:
  // `abandon` gives up the batch, the summary tells what is stored, and the Error goes on, with
  // what to do.
  struct Load {
    std::function<void()> work;
    std::function<void()> finish;
    std::function<void()> abandon;
    std::function<load::Counts()> counts;
    // How many rows of those read are stored, or known to be passed over: what progress counts.
    std::function<std::uint64_t(const load::Counts&)> settled;
    // By name for programs, from the counts.
    std::function<std::vector<std::pair<std::string, std::uint64_t>>(const load::Counts&)> skipped;
    // How many members of archives held nothing that could be used, and whether anything said who
    // is who. A load that has read no row has failed, unless there was nothing else to read.
    std::function<std::uint64_t()> other_members{};
    std::function<bool()> said_users{};
    // Of a dry run: there was too much to tell what of it is new.
    std::function<bool()> full{};
  };
  void run(const Load& load);

 private:
  void show();
  void print(const Load& load);
  static void abandon(const Load& load);
  void read_file(const std::string& file, input::Source::From from,
                 const MemberReader& read_member);
  void close_current();
  // Reads a member, and says, once a load, that it was said to be in the wrong encoding.
  void read_decoded(const input::Source& source, input::DecodedStream& text,
                    const MemberReader& read);

  void report_bad(const std::string& words);
  // Whether the load would have stopped at a bad line.
  void end_dry(const Load& load);

  Context& context_;
  std::string rows_;
  bool dry_;
  std::uint64_t max_errors_;
  Preview preview_;
  std::vector<std::string> files_;
  input::Encoding encoding_;
  bool said_utf8_ = false;  // that a text is UTF-8 after all
  std::int64_t started_;
  Progress progress_;
  input::BadLines bad_;
  std::vector<std::pair<std::string, std::uint64_t>> remarks_;  // in the order they came up
  input::TextBuffer buffer_;
  std::optional<std::uint64_t> total_bytes_;  // of all files, if each has a size
  std::atomic<const Load*> load_{nullptr};    // that runs
  const input::Source* current_ = nullptr;    // what is being read
  std::uint64_t earlier_bytes_ = 0;           // of the files before it
  std::uint64_t expected_ = 0;                // rows in all, if that is known
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> read_{0};
};

// The noun `load`, for whoever adds a verb to it.
Command& load_noun(App& app);

// FILE, `--encoding`, `--max-errors` and `--dry-run`.
void add_input(Command& verb, LoadInput& input);

// `--columns` and `--separator`; `names` are columns of such a table.
void add_columns(Command& verb, std::optional<std::string>& columns,
                 std::optional<std::string>& separator, const std::string& names);
// What they say of a table of edges or events; empty without --columns. Throws
// Error{kInvalidArgument} for columns that are none, and where --format says otherwise.
[[nodiscard]] std::optional<input::TieLayout> tie_layout(
    const std::optional<std::string>& columns, const std::optional<std::string>& separator,
    const std::string& format);

// `--privacy`, the widest level of a whole load.
void add_privacy(Command& verb, std::string& privacy);
[[nodiscard]] Privacy parse_widest(const std::string& privacy);
// Makes the post, and what came inside of it, visible to no more people than at that level.
void narrow(load::SourcePost& post, Privacy widest);

// `--ids`, and what it says.
void add_ids(Command& verb, std::string& ids);
[[nodiscard]] input::IdKind parse_id_kind(const std::string& ids);

}  // namespace chirp::cli
