// Posts sorted by time outside of memory, and in the order of arrival where times are equal.
//
// They are gathered in memory, sorted, and written as a run; at the end all runs are merged. Of
// posts with one source id the first to arrive counts, wherever in time it lies. So with each run
// of posts goes one of their source ids. Those are merged first, and tell which posts came again.
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
#include "core/ports/scratch.h"

namespace chirp::load {

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

  // After finish(): the next of the posts that are the first with their source id, then nothing.
  [[nodiscard]] std::optional<PostRow> next();
  // After that: the next of those that came again.
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
  // Small enough to come from where freed posts of windows were.
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunks_used_ = 0;
  std::span<char> free_;   // of the last one used
  std::size_t bytes_ = 0;  // of all entries
  std::string packed_;
  bool is_whole_ = true;
  std::uint64_t rows_ = 0;  // added
  RecordRuns posts_;
  RecordRuns sources_;
  std::vector<bool> again_;  // by number; empty if none came again
  std::optional<RecordMerge> merge_;
  std::optional<RecordMerge> merge_again_;
};

}  // namespace chirp::load
