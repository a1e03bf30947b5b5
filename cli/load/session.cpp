#include "cli/load/session.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/input/byte_stream.h"
#include "cli/input/layout.h"
#include "cli/load/rehearsal/rehearsal.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

constexpr std::uint64_t kMaxErrors = 1'000'000'000;
// A dry run reports this many bad lines, and counts the others.
constexpr std::uint64_t kDryErrors = 10;

std::uint64_t bytes_of(const input::Folder& folder) {
  std::uint64_t total = 0;
  for (const std::string& file : folder.files) {
    std::error_code gone;
    const auto size = std::filesystem::file_size(file, gone);
    if (!gone) total += size;
  }
  return total;
}

// The bytes of all files together, unless one is a pipe; opening each file finds missing ones
// early.
std::optional<std::uint64_t> bytes_of(const std::vector<std::string>& files) {
  std::optional<std::uint64_t> total = 0;
  for (const std::string& file : files) {
    // A named pipe may be opened once only.
    std::error_code unknown;
    const auto kind = std::filesystem::status(file, unknown).type();
    if (file == "-" || kind == std::filesystem::file_type::fifo) {
      total.reset();
      continue;
    }
    if (input::is_folder(file)) {
      const std::uint64_t bytes = bytes_of(input::folder_of(file));
      total = total ? std::optional(*total + bytes) : std::nullopt;
      continue;
    }
    const input::RawFile opened(file);
    total = total && opened.size() ? std::optional(*total + *opened.size()) : std::nullopt;
  }
  return total;
}

input::Encoding parse_encoding(std::string_view name) {
  if (const auto encoding = input::encoding_named(name)) return *encoding;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--encoding takes utf-8, windows-1252, mixed, utf-16, or a name that "
                          "`iconv -l` lists, not \"{}\".",
                          printable(name, 40)));
}

std::uint64_t parse_max_errors(const std::optional<std::string>& text) {
  return text ? parse_number("--max-errors", *text, 0, kMaxErrors) : 0;
}

}  // namespace

LoadSession::LoadSession(Context& context, std::string rows, const LoadInput& input)
    : context_(context),
      rows_(std::move(rows)),
      dry_(input.dry_run),
      max_errors_(parse_max_errors(input.max_errors)),
      files_(input.files),
      window_max_(input.memory ? parse_size("--memory", *input.memory) : input::kZstdWindow),
      encoding_(parse_encoding(input.encoding)),
      encoding_name_(input.encoding),
      started_(context.clock().steady_ns()),
      progress_(context.out(), context.clock(), rows_),
      // A dry run continues to the end, to count all bad lines.
      bad_(
          dry_ ? std::numeric_limits<std::uint64_t>::max() : max_errors_,
          [this](const std::string& words) { report_bad(words); },
          [this](const std::string& words) { warn(words); }),
      left_out_(context.out().json()),
      total_bytes_(bytes_of(files_)) {}

LoadSession::~LoadSession() = default;

void LoadSession::report_bad(const std::string& words) {
  if (dry_ && bad_.count() > std::max(kDryErrors, max_errors_)) return;
  warn(words);
}

Engine& LoadSession::engine() {
  if (!dry_) return context_.writing_engine();
  if (!rehearsal_) {
    const store::DataPlace& data = context_.globals().data;
    const bool is_made = store::is_made(data);
    if (!is_made) {
      warn(fmt::format("There is no data directory {} yet, so everything would be new.",
                       printable(data.text(), 4096)));
    }
    rehearsal_ = std::make_unique<rehearsal::LoadRehearsal>(is_made ? &context_.engine() : nullptr,
                                                            context_.clock());
  }
  return rehearsal_->engine();
}

User LoadSession::user(const std::string& name) {
  Engine& engine = this->engine();
  return dry_ ? rehearsal_->user(name) : engine.accounts().resolve(name);
}

input::TellUnderstood LoadSession::tell_understood() {
  if (!dry_) return {};
  return [this](input::Understood&& what) { preview_.understood(std::move(what)); };
}

void LoadSession::show() {
  Load* const load = load_;
  const load::Counts counts = load == nullptr ? load::Counts{} : load->counts();
  const std::uint64_t settled = load == nullptr ? 0 : load->settled(counts);
  stored_ = counts.stored;
  const std::uint64_t read = read_;
  const Step step = load == nullptr ? Step{} : load->step();
  const std::uint64_t left = read - std::min(read, settled);
  const auto prepared = static_cast<std::uint64_t>(static_cast<double>(left) * step.prepared);
  Reach reach = reach_of(bytes_, total_bytes_, read, settled + prepared);
  reach.rows = std::min(settled, read);
  reach.users = counts.users_added;
  reach.doing = step.words;
  if (!step.stores) reach.read = read;
  progress_.show(reach);
}

load::Pause LoadSession::pause() {
  return [this] {
    if (!dry_) give_way();
    show();
  };
}

void LoadSession::read(std::uint64_t rows) {
  read_ += rows;
  if (current_ != nullptr) bytes_ = earlier_bytes_ + current_->bytes_read();
  if (expected_ > 0) {
    const double share = static_cast<double>(read_) / static_cast<double>(expected_);
    const double all = static_cast<double>(total_bytes_.value_or(0));
    bytes_ = static_cast<std::uint64_t>(std::min(share, 1.0) * all);
  }
  show();
}

void LoadSession::take(std::uint64_t rows) {
  // Cheap compared with reading them.
  constexpr std::uint64_t kShowEvery = 256;
  if ((taken_ += rows) >= kShowEvery) show_taken();
}

void LoadSession::warn(std::string_view words) {
  progress_.clear();
  context_.out().warn(words);
}

void LoadSession::count(const std::string& name, std::string_view words, std::uint64_t times) {
  const auto known =
      std::ranges::find(remarks_, name, &std::pair<std::string, std::uint64_t>::first);
  if (known == remarks_.end()) {
    remarks_.emplace_back(name, times);
  } else {
    known->second += times;
  }
  if (words.empty() || !is_verbose()) return;
  progress_.clear();
  context_.out().detail(words);
}

void LoadSession::remark(const std::string& name, std::string_view words) {
  const bool first =
      std::ranges::count(remarks_, name, &std::pair<std::string, std::uint64_t>::first) == 0;
  count(name, words);
  if (!first || is_verbose()) return;
  warn(fmt::format("{} (any others are counted; --verbose says them)", words));
}

void LoadSession::leave_out(std::string_view name, std::string_view why) {
  const std::string words = fmt::format("{}: left out: {}", name, why);
  if (left_out_.add(name, why)) {
    warn(words);
  } else if (is_verbose()) {
    progress_.clear();
    context_.out().detail(words);
  }
}

void LoadSession::read_decoded(const input::InputSource& source, input::DecodedStream& text,
                               const MemberReader& read) {
  buffer_.open(text);
  const bool named = !source.is_one_of_many();
  if (text.is_utf32() && named) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:1: the text is UTF-32, as its byte order mark says, which is not "
                            "read here. Convert it first: iconv -f utf-32 -t utf-8",
                            source.name()));
  }
  if (const std::size_t zero = text.zero_of_utf16(); zero > 0 && named) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:1: column {}, byte 0x00: the text is not UTF-8; it looks like "
                            "UTF-16: --encoding utf-16 reads it",
                            source.name(), zero));
  }
  const bool is_named = text.encoding() == input::Encoding::kNamed;
  if (const auto& wrong = text.not_as_named(); wrong && named && max_errors_ == 0) {
    if (!dry_) bad_.add({source.name(), wrong->lines + 1}, wrong->words);
    refusal_ = fmt::format("{}:{}: {}", source.name(), wrong->lines + 1, wrong->words);
  }
  if (dry_) {
    preview_.begin(source.name(),
                   is_named ? encoding_name_ : input::encoding_name(text.encoding()));
  }
  const std::uint64_t bad_before = bad_.count();
  const auto note = [&] {
    if (text.is_utf8()) utf8_texts_.add(source.name());
    if (text.is_other() && bad_.count() > bad_before) other_texts_.add(source.name());
  };
  try {
    read(source, buffer_);
  } catch (...) {
    note();
    throw;
  }
  note();
  if (!text.is_utf8_after_all() || std::exchange(said_utf8_, true)) return;
  warn(
      fmt::format("{}: said to be Windows-1252, and is UTF-8 throughout: it was read as was said; "
                  "--encoding mixed reads files of both",
                  source.name()));
}

void LoadSession::read_members(input::InputSource& source, const MemberReader& read) {
  while (source.next()) {
    input::DecodedStream text(source, encoding_, encoding_name_);
    read_decoded(source, text, read);
  }
}

void LoadSession::each_member_of(const std::string& file, const MemberReader& read) {
  input::InputSource source(file, input::InputSource::From::kNamed, window_max_);
  read_members(source, read);
}

void LoadSession::each_member(const MemberReader& read_member) {
  for (const std::string& file : files_) {
    if (!input::is_folder(file)) {
      read_file(file, input::InputSource::From::kNamed, read_member);
      continue;
    }
    const input::Folder folder = input::folder_of(file);
    for (const std::string& other : folder.others) {
      remark("noRegularFiles", fmt::format("{}: no regular file", printable(other, 4096)));
    }
    for (const std::string& inner : folder.files) {
      read_file(inner, input::InputSource::From::kFolder, read_member);
    }
  }
}

void LoadSession::read_file(const std::string& file, input::InputSource::From from,
                            const MemberReader& read_member) {
  input::InputSource source(file, from, window_max_);
  current_ = &source;
  try {
    read_members(source, read_member);
  } catch (...) {
    close_current();
    throw;
  }
  close_current();
}

void LoadSession::close_current() {
  read(0);
  earlier_bytes_ = bytes_;
  current_ = nullptr;
}

std::uint64_t LoadSession::not_stored(const Load& load) const {
  const std::uint64_t read = read_;
  return read - std::min(read, load.settled(load.counts()));
}

void LoadSession::print(const Load& load, Ended ended) {
  progress_.clear();
  const load::Counts counts = load.counts();
  auto skipped = load.skipped(counts);
  if (left_out_.count() > 0) skipped.emplace_back("otherMembers", left_out_.count());
  skipped.insert(skipped.end(), remarks_.begin(), remarks_.end());
  if (!utf8_texts_.empty() && !other_texts_.empty()) {
    warn(fmt::format("{}: UTF-8. {}: not UTF-8. --encoding mixed reads files of both.",
                     utf8_texts_.words(), other_texts_.words()));
  }
  if (const std::string others = left_out_.others(); !others.empty() && !is_verbose()) warn(others);
  const std::int64_t ns = context_.clock().steady_ns() - started_;
  print_summary(
      context_.out(),
      {.rows = rows_,
       .read = read_,
       .counts = counts,
       .skipped = std::move(skipped),
       .errors = bad_.count(),
       .bytes = bytes_,
       .seconds = static_cast<double>(ns) / 1e9,
       .preview = dry_ ? &preview_ : nullptr,
       .left_out = &left_out_,
       .not_stored = ended == Ended::kStopped ? std::optional(not_stored(load)) : std::nullopt});
}

void LoadSession::end_dry() {
  if (rehearsal_ && rehearsal_->is_full()) {
    warn(
        "There is too much to tell all of what is there already or comes twice: less would be "
        "stored.");
  }
  if (!dry_ || (bad_.count() <= max_errors_ && refusal_.empty())) return;
  context_.out().flush();
  if (!refusal_.empty()) throw Error(ErrorCode::kBadInput, refusal_ + ". The load would stop.");
  throw Error(ErrorCode::kBadInput,
              fmt::format("The load would stop at a bad line: --max-errors {} passes over all of "
                          "them.",
                          bad_.count()));
}

void LoadSession::say_at_end(const char* words) {
  constexpr const char* kUsual = "\nchirp: The load is interrupted. At least ";
  constexpr const char* kDry = "\nchirp: The dry run is interrupted; nothing is changed.\n";
  last_words_.reset();
  if (dry_) {
    last_words_.emplace(kDry);
  } else if (words != nullptr) {
    last_words_.emplace(words);
  } else {
    interrupted_ = fmt::format(
        " {} are stored and stay. Run the same command again: it skips them and loads the rest.\n",
        rows_);
    last_words_.emplace(kUsual, &stored_, interrupted_.c_str());
  }
}

void LoadSession::run(Load& load) {
  // They are valid until the summary is printed.
  say_at_end(nullptr);
  // Threads of the load may show progress until it is destroyed.
  const std::unique_ptr<std::atomic<Load*>, void (*)(std::atomic<Load*>*)> shown(
      &load_, [](std::atomic<Load*>* which) { *which = nullptr; });
  load_ = &load;
  try {
    load.work();
    load.finish();
  } catch (const Error& error) {
    abandon(load);
    last_words_.reset();
    print(load, Ended::kStopped);
    context_.out().flush();
    if (dry_) throw;
    const bool bad_line = error.code() == ErrorCode::kBadInput && bad_.count() > 0;
    throw stopped_load(error, {.rows = rows_,
                               .stored = load.counts().stored,
                               .not_stored = not_stored(load),
                               .is_bad_line = bad_line});
  }
  last_words_.reset();
  print(load, Ended::kWhole);
  const bool passed_over = bad_.count() > 0 || left_out_.count() > 0;
  if (read_ > 0 || !passed_over || load.said_users()) {
    if (dry_) end_dry();
    return;
  }
  context_.out().flush();
  throw Error(ErrorCode::kBadInput,
              fmt::format("Nothing of what was read is understood: there are no {} in it.", rows_));
}

void LoadSession::abandon(Load& load) {
  try {
    load.abandon();
  } catch (const Error&) {
    // An error of the background work is thrown again here.
  }
}

}  // namespace chirp::cli
