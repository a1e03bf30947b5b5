#include "core/hot/arrivals.h"

#include <algorithm>
#include <bit>

namespace chirp::hot {
namespace {

// Spreads numbers that lie close together over the buckets (Knuth, multiplicative hashing).
std::size_t bucket_of(UserNumber author, std::size_t buckets) {
  const std::uint32_t spread = author.value * 2'654'435'769u;
  return (std::uint64_t{spread} * buckets) >> 32;
}

}  // namespace

Arrivals::Arrivals(std::size_t most) : most_(most), lasts_(std::bit_floor(2 * most)) {}

std::uint64_t& Arrivals::last_of(UserNumber author) {
  return lasts_[bucket_of(author, lasts_.size())];
}
std::uint64_t Arrivals::last_of(UserNumber author) const {
  return lasts_[bucket_of(author, lasts_.size())];
}

void Arrivals::add(Sequence sequence, PostId post, UserNumber author, Privacy privacy) {
  if (most_ == 0) return clear({sequence.value + 1});
  if (end_ - first_ == most_) {
    from_ = {at(first_).sequence.value + 1};
    ++first_;
  }
  std::uint64_t& last = last_of(author);
  const Arrival fresh{sequence, post, author, privacy, false, last};
  if (end_ % most_ == ring_.size()) {
    ring_.push_back(fresh);
  } else {
    ring_[end_ % most_] = fresh;
  }
  last = ++end_;
}

void Arrivals::remove(PostId post, UserNumber author) {
  if (first_ == end_) return;
  for (std::uint64_t next = last_of(author); next > first_; next = at(next - 1).before) {
    Arrival& one = ring_[(next - 1) % most_];
    if (one.post == post) one.gone = true;
    if (one.post <= post) return;
  }
}

void Arrivals::add_load(Sequence sequence, PostId newest) {
  while (!loads_.empty() && loads_.back().newest <= newest) loads_.pop_back();
  if (loads_.size() == kLoadsMax) {
    from_ = std::max(from_, {loads_.front().sequence.value + 1});
    loads_.erase(loads_.begin());
  }
  loads_.push_back({sequence, newest});
}

std::optional<PostId> Arrivals::loaded_since(Sequence from) const {
  const auto load = std::ranges::lower_bound(loads_, from, {}, &Load::sequence);
  return load == loads_.end() ? std::nullopt : std::optional(load->newest);
}

void Arrivals::clear(Sequence from) {
  loads_.clear();
  first_ = end_;
  from_ = from;
}

std::uint64_t Arrivals::place_of(Sequence from) const {
  std::uint64_t low = first_;
  std::uint64_t high = end_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at(middle).sequence < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::vector<Arrival> Arrivals::since(Sequence from, std::span<const UserNumber> authors,
                                     UserNumber reader) const {
  std::vector<Arrival> found;
  const std::uint64_t start = place_of(from);
  const auto take = [&](const Arrival& one) {
    if (!one.gone) found.push_back(one);
  };
  if (end_ - start <= authors.size()) {
    for (std::uint64_t place = start; place < end_; ++place) {
      const Arrival& one = at(place);
      if (one.author == reader || std::ranges::binary_search(authors, one.author)) take(one);
    }
    return found;
  }
  const auto take_all_of = [&](UserNumber author) {
    for (std::uint64_t next = last_of(author); next > start; next = at(next - 1).before) {
      if (at(next - 1).author == author) take(at(next - 1));
    }
  };
  for (const UserNumber author : authors) take_all_of(author);
  if (!std::ranges::binary_search(authors, reader)) take_all_of(reader);
  std::ranges::sort(found, {}, &Arrival::sequence);
  return found;
}

}  // namespace chirp::hot
