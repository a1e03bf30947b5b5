#include "cli/bench/reference/written.h"

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fmt/format.h>

namespace chirp::cli::bench {

std::optional<std::uint64_t> number_after(const std::string& text, const std::string& name) {
  std::istringstream words(text);
  std::string word;
  std::uint64_t number = 0;
  while (words >> word) {
    if (word == name && words >> number) return number;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> bytes_written_of(const std::string& device_counts) {
  constexpr std::size_t kSectorsWritten = 6;  // the seventh number
  constexpr std::uint64_t kSector = 512;      // for all devices, whatever their own size
  std::istringstream words(device_counts);
  std::array<std::uint64_t, kSectorsWritten + 1> numbers{};
  for (std::uint64_t& number : numbers) {
    if (!(words >> number)) return std::nullopt;
  }
  return numbers[kSectorsWritten] * kSector;
}

std::string system_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::uint64_t bytes_handed_to_writes() {
  return number_after(system_text("/proc/self/io"), "wchar:").value_or(0);
}

std::optional<std::uint64_t> bytes_written_by_disk(const std::filesystem::path& place) {
  struct stat found {};
  if (::stat(place.c_str(), &found) != 0) return std::nullopt;
  const std::string device =
      fmt::format("/sys/dev/block/{}:{}/stat", major(found.st_dev), minor(found.st_dev));
  return bytes_written_of(system_text(device));
}

}  // namespace chirp::cli::bench
