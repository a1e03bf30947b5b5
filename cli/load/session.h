// The common part of loads from files: reading the files and their members in order, bad lines,
// progress, and the summary at the end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/context.h"
#include "cli/input/encoding.h"
#include "cli/input/ids.h"
#include "cli/input/lines.h"
#include "cli/input/source.h"
#include "cli/load/options.h"
#include "cli/load/preview.h"
#include "cli/load/summary.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "core/load/turns.h"

namespace chirp::cli {

namespace rehearsal {
class LoadRehearsal;
}

class LoadSession {
 public:
  // `rows` is the word for what is loaded. Throws Error{kBadInput} if a file can't be opened,
  // before anything is read.
  LoadSession(Context& context, std::string rows, const LoadInput& input);
  ~LoadSession();

  [[nodiscard]] bool is_dry() const { return dry_; }
  // The memory for unpacking zst, in bytes.
  [[nodiscard]] std::uint64_t window_max() const { return window_max_; }
  // The engine to load into. In a dry run it keeps all changes in memory, over the data directory,
  // if there is one.
  [[nodiscard]] Engine& engine();
  // Returns the user that the command line names. A dry run without a data directory makes one up.
  [[nodiscard]] User user(const std::string& name);
  // In a dry run: collects what to show of the files. Other loads do not use it.
  [[nodiscard]] Preview& preview() { return preview_; }
  [[nodiscard]] input::TellUnderstood tell_understood();

  [[nodiscard]] input::BadLines& bad() { return bad_; }
  // Lets other writers work between transactions, and shows progress.
  [[nodiscard]] load::Pause pause();
  // Prints a warning on stderr, where progress is shown.
  void warn(std::string_view words);
  // Counts what is skipped without being a fault, by a name for programs such as
  // "unreadableOriginals", and prints it with --verbose. Call it from the reading thread.
  void count(const std::string& name, std::string_view words, std::uint64_t times = 1);
  // The same, and always prints the first of each name.
  void remark(const std::string& name, std::string_view words);
  // Skips a file of a folder or a member of an archive, because it has other contents. `why` is a
  // clause, such as "it has no column createdAt". The first ten are named at once, the others with
  // --verbose and in --json; all are counted as "otherMembers".
  void leave_out(std::string_view name, std::string_view why);
  // Sets the total number of rows, for files whose bytes are read more than once. Progress then
  // counts rows.
  void expect(std::uint64_t rows) { expected_ = rows; }
  // Counts rows that have been read; shows progress.
  void read(std::uint64_t rows);
  // The same for few rows: shows progress now and then, and in show_taken().
  void take(std::uint64_t rows = 1);
  void show_taken() { read(std::exchange(taken_, 0)); }

  // Opens each member of each file in the buffer, one after the other. For a folder these are the
  // files in it and below it.
  using MemberReader = std::function<void(const input::InputSource&, input::TextBuffer&)>;
  void each_member(const MemberReader& read_member);
  // The same for one more file, which is not part of the progress or the summary.
  void each_member_of(const std::string& file, const MemberReader& read);

  // A phase of a load.
  struct Step {
    std::string_view words{};  // empty if the load has only one phase
    double prepared = 0;       // share of the work that is done on rows before they are settled
    bool stores = true;        // whether this phase stores rows
  };
  // A load: work() reads everything, finish() stores the rest, and the summary is printed. The load
  // ends early after too many bad lines, or if the store fails, as on a full disk. Then abandon()
  // drops the batch, the summary says what is stored, and the Error is rethrown with advice.
  class Load {
   public:
    virtual ~Load() = default;
    virtual void work() = 0;
    virtual void finish() = 0;
    virtual void abandon() = 0;
    // From any thread, as the following.
    [[nodiscard]] virtual load::Counts counts() const = 0;
    // Returns how many of the rows read are stored or skipped; progress counts these.
    [[nodiscard]] virtual std::uint64_t settled(const load::Counts& counts) const = 0;
    [[nodiscard]] virtual Skipped skipped(const load::Counts& counts) const = 0;
    // Returns whether the input named users. A load without rows and users has failed, unless the
    // input was empty.
    [[nodiscard]] virtual bool said_users() const { return false; }
    // The phase of the load, for progress. By default, rows are stored as they come.
    [[nodiscard]] virtual Step step() { return {}; }
  };
  void run(Load& load);
  // Sets the message of SIGINT and SIGTERM while the load runs. `words` end a line and must live as
  // long as the program. Null restores the usual message, with the number of stored rows.
  void say_at_end(const char* words);

 private:
  [[nodiscard]] bool is_verbose() const {
    return context_.out().verbosity() == Verbosity::kVerbose;
  }
  void show();
  enum class Ended : std::uint8_t { kWhole, kStopped };
  void print(const Load& load, Ended ended);
  // The number of rows that are read and neither stored nor skipped.
  [[nodiscard]] std::uint64_t not_stored(const Load& load) const;
  static void abandon(Load& load);
  void read_file(const std::string& file, input::InputSource::From from,
                 const MemberReader& read_member);
  void read_members(input::InputSource& source, const MemberReader& read);
  void close_current();
  // Reads a member. Reports, once per load, if `--encoding` is wrong.
  void read_decoded(const input::InputSource& source, input::DecodedStream& text,
                    const MemberReader& read);

  void report_bad(const std::string& words);
  // Whether the load would have stopped at a bad line.
  void end_dry();

  Context& context_;
  std::string rows_;
  bool dry_;
  std::uint64_t max_errors_;
  Preview preview_;
  std::vector<std::string> files_;
  std::uint64_t window_max_;  // of zst, in bytes
  input::Encoding encoding_;
  std::string encoding_name_;
  std::string refusal_;     // why the load would refuse a file, in a dry run
  FirstNames utf8_texts_;   // texts that are UTF-8, beyond ASCII
  FirstNames other_texts_;  // texts with lines that are not UTF-8
  bool said_utf8_ = false;  // whether the message that a text is UTF-8 was printed
  std::int64_t started_;
  std::unique_ptr<rehearsal::LoadRehearsal> rehearsal_;  // only in a dry run
  ProgressLine progress_;
  input::BadLines bad_;
  Skipped remarks_;  // in the order of appearance
  LeftOutFiles left_out_;
  input::TextBuffer buffer_;
  std::optional<std::uint64_t> total_bytes_;     // of all files, if each has a size
  std::atomic<Load*> load_{nullptr};             // the running load
  std::atomic<std::uint64_t> stored_{0};         // by the running load, at least
  std::string interrupted_;                      // the end of the message of an interruption
  std::optional<LastWords> last_words_;          // the message itself
  const input::InputSource* current_ = nullptr;  // what is being read
  std::uint64_t earlier_bytes_ = 0;              // of the files before the current one
  std::uint64_t expected_ = 0;                   // the total number of rows, if known
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> read_{0};
  std::uint64_t taken_ = 0;  // rows that progress has not shown
};

}  // namespace chirp::cli
