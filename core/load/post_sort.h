// Sorts posts by time outside memory. Posts with equal times keep their order of arrival.
//
// Posts are gathered in memory, sorted, and written as a run. At the end all runs are merged. If
// several posts have one source id, the first to arrive is kept, even if another one is older. For
// this, each run of posts has a run of their source ids. These are merged first, and give the posts
// that are repeated.
//
// Use it from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/load/record_runs.h"
#include "core/load/waiting_posts.h"
#include "core/model/time.h"
#include "core/ports/scratch.h"

namespace chirp::load {

// A post as bytes, for sorting outside memory: the whole row except its time. The row must not
// have an id yet.
void pack(const PostRow& row, std::string& out);
[[nodiscard]] PostRow unpacked(std::string_view bytes, Time created_at);

struct SortBounds {
  std::size_t gathered = std::size_t{128} << 20;  // bytes of posts that are sorted at once
  std::size_t memory = std::size_t{4} << 20;      // bytes of runs that need no file
  std::size_t merged = std::size_t{24} << 20;     // bytes read ahead of all runs together
};

class PostSort {
 public:
  PostSort(std::unique_ptr<Scratch> scratch, const SortBounds& bounds);

  // Throws as Scratch does.
  void add(const PostRow& row);
  // Nothing more will be added. `tick` is called now and then.
  void finish(const std::function<void()>& tick);
  // False if writing has failed: then some of what was added is lost.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  // After finish(): the next post that is the first with its source id; nothing after the last.
  [[nodiscard]] std::optional<PostRow> next();
  // After next() has returned nothing: the next of the repeated posts.
  [[nodiscard]] std::optional<PostRow> next_again();

 private:
  // A post in memory; its bytes are packed.
  struct Entry {
    std::uint64_t time;
    std::uint64_t source;
    const char* bytes;
    std::uint32_t size;
    std::uint32_t place;  // in the order of arrival
  };

  const char* keep(std::string_view bytes);
  void write_run();
  void find_again(const std::function<void()>& tick);
  [[nodiscard]] std::optional<PostRow> next_of(bool again);

  std::unique_ptr<Scratch> scratch_;
  SortBounds bounds_;
  std::vector<Entry> entries_;
  // Small enough to reuse the memory of freed posts of windows.
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunks_used_ = 0;
  std::span<char> free_;   // of the last chunk
  std::size_t bytes_ = 0;  // of all entries
  std::string packed_;
  bool is_whole_ = true;
  std::uint64_t rows_ = 0;  // added
  RecordRuns posts_;
  RecordRuns sources_;
  std::vector<bool> again_;  // by number; empty without repeated posts
  std::optional<RecordMerge> merge_;
  std::optional<RecordMerge> merge_again_;
};

// Whether the posts of a load come in no order of time at all.
//
// Posts are compared in groups of the size that memory can sort. If an input is in the order of
// time, or has the newest first, its groups do not overlap. If it has no order, or has many files
// that each cover the same time, a later group overlaps earlier ones.
class TimeSpread {
 public:
  void add(Time time) { times_.push_back(time); }
  // Ends a group. Returns whether more than half of its times are between the first and the last
  // tenth of an earlier group.
  [[nodiscard]] bool end_group();

 private:
  struct Range {
    Time first;
    Time last;
  };

  [[nodiscard]] std::size_t within_earlier() const;
  void note(Range range);

  std::vector<Time> times_;     // of the group
  std::vector<Range> earlier_;  // ascending, without overlaps
};

}  // namespace chirp::load
