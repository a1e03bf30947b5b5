#include "server/api/byte_range.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/model/utf8.h"
#include "server/http/answer_writer.h"
#include "server/http/grammar.h"

namespace chirp::api {
namespace {

constexpr std::string_view kUnit = "bytes=";

// A number too large for the type becomes the type's largest, which is past the end of any file.
std::optional<std::uint64_t> natural(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
  if (error != std::errc{}) return std::nullopt;
  return number;
}

}  // namespace

std::optional<ByteRange> byte_range(std::string_view header, std::uint64_t size) {
  if (utf8::ascii_lower(header.substr(0, kUnit.size())) != kUnit) return std::nullopt;
  header.remove_prefix(kUnit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view from = header.substr(0, dash);
  const std::string_view to = header.substr(dash + 1);
  if (from.empty()) {  // the last bytes of the file
    const auto count = natural(to);
    if (!count) return std::nullopt;
    if (*count == 0 || size == 0) return ByteRange{0, 0, false};
    return ByteRange{size - std::min(*count, size), size - 1, true};
  }
  const auto first = natural(from);
  const auto last = to.empty() ? std::optional(size) : natural(to);
  if (!first || !last || (!to.empty() && *last < *first)) return std::nullopt;
  if (*first >= size) return ByteRange{0, 0, false};
  return ByteRange{*first, std::min(*last, size - 1), true};
}

void ConstantBody::put_into(http::Response& response, const http::Head& request) {
  const auto accepted = request.header("accept-encoding");
  if (http::is_compressible(response.type) && accepted && http::accepts_gzip(*accepted)) {
    std::call_once(once_, [&] {
      std::string compressed = http::gzipped(text_);
      if (compressed.size() < text_.size()) compressed_ = std::move(compressed);
    });
    if (!compressed_.empty()) {
      response.body = compressed_;
      response.headers.push_back({"Content-Encoding", "gzip"});
      return;
    }
  }
  response.body = text_;
}

}  // namespace chirp::api
