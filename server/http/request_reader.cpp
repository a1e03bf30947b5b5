#include "server/http/request_reader.h"

#include <algorithm>
#include <utility>

#include "server/limits.h"

namespace chirp::http {
namespace {

constexpr std::size_t kReadMax = 64 << 10;

// Methods whose body means nothing: it is read, so that what follows is found, and dropped.
constexpr bool drops_body(Method method) {
  return method == Method::kGet || method == Method::kHead;
}

// From here on, a chunked body has a known length.
void set_length(Head& head, std::size_t bytes) {
  for (Pair& header : head.headers) {
    if (header.name == "transfer-encoding") header = {"content-length", std::to_string(bytes)};
  }
}

}  // namespace

RequestReader::RequestReader(const App& app, std::string address)
    : app_(app), address_(std::move(address)) {}

std::size_t RequestReader::room() const {
  if (!parsed_) return limits::kHeadReadBytes;
  if (chunks_) return kReadMax;
  return std::min<std::size_t>(static_cast<std::size_t>(parsed_->body_bytes) - body_.size(),
                               kReadMax);
}

void RequestReader::add(std::string_view bytes) {
  if (parsed_ && !chunks_) {
    body_.append(bytes);
  } else {
    input_.append(bytes);
  }
}

std::variant<RequestReader::Stage, Arrived, Fault> RequestReader::next() {
  if (!parsed_) {
    auto scanned = scanner_.scan(input_);
    if (auto* fault = std::get_if<Fault>(&scanned)) return std::move(*fault);
    const auto* whole = std::get_if<HeadScanner::Whole>(&scanned);
    if (whole == nullptr) return input_.empty() ? Stage::kNothing : Stage::kHead;
    if (auto fault = begin(whole->bytes)) return std::move(*fault);
  }
  bool is_whole = false;
  if (chunks_) {
    if (auto fault = chunks_->take(input_, body_, body_bytes())) return std::move(*fault);
    is_whole = chunks_->is_whole();
  } else {
    is_whole = body_.size() == parsed_->body_bytes;
  }
  if (!is_whole) return entered_ ? Stage::kBody : Stage::kEntry;

  Arrived arrived;
  static_cast<Head&>(arrived.request) = std::move(parsed_->head);
  if (std::exchange(chunks_, std::nullopt)) set_length(arrived.request, body_.size());
  arrived.request.body = std::exchange(body_, {});
  if (drops_body(arrived.request.method)) arrived.request.body.clear();
  arrived.request.counted = std::exchange(entered_, false);
  arrived.lane = lane_;
  arrived.may_be_at_once = may_be_at_once_;
  arrived.after = parsed_->after;
  arrived.coding = parsed_->coding;
  parsed_.reset();
  if (input_.empty()) input_.shrink_to_fit();  // nothing is kept for a connection that is idle
  return arrived;
}

Request RequestReader::bodiless() const {
  Request request;
  static_cast<Head&>(request) = parsed_->head;
  return request;
}

std::size_t RequestReader::body_bytes() const {
  return parsed_ ? static_cast<std::size_t>(parsed_->body_bytes) : 0;
}

Coding RequestReader::coding() const { return parsed_ ? parsed_->coding : Coding::kIdentity; }

void RequestReader::let_in() {
  entered_ = true;
  body_.reserve(body_bytes());  // it grows by no more than it is counted for
}

bool RequestReader::takes_continue() {
  if (!entered_ || !parsed_ || parsed_->expect != Expect::kContinue || !body_.empty()) return false;
  parsed_->expect = Expect::kNothing;
  return true;
}

Method RequestReader::method() const { return parsed_ ? parsed_->head.method : Method::kGet; }

void RequestReader::drop() {
  input_ = {};
  body_ = {};
}

std::optional<Fault> RequestReader::begin(std::size_t head_bytes) {
  auto parsed = parse_head(std::string_view(input_).substr(0, head_bytes));
  if (auto* fault = std::get_if<Fault>(&parsed)) return std::move(*fault);
  parsed_ = std::get<ParsedHead>(std::move(parsed));
  parsed_->head.address = address_;
  if (auto fault = admit()) return fault;
  input_.erase(0, head_bytes);
  scanner_ = {};
  if (parsed_->is_chunked) {
    chunks_.emplace();
  } else {
    move_into_body();
  }
  return std::nullopt;
}

std::optional<Fault> RequestReader::admit() {
  Admission admission;
  try {
    admission = app_.admit(parsed_->head);
  } catch (...) {
    return Fault{500, "The server failed to look at this."};
  }
  lane_ = admission.lane;
  may_be_at_once_ = admission.may_be_at_once;
  const std::size_t most = drops_body(parsed_->head.method)
                               ? std::max(admission.body_max, limits::kJsonBodyMax)
                               : admission.body_max;
  // The maximum that may arrive is reserved.
  if (parsed_->is_chunked) parsed_->body_bytes = most;
  if (parsed_->body_bytes <= most) return std::nullopt;
  return Fault{413, most == 0 ? "There is no body to be sent here."
                              : "The body is longer than the " + std::to_string(most) +
                                    " bytes that are taken here."};
}

void RequestReader::move_into_body() {
  const std::size_t count =
      std::min<std::size_t>(input_.size(), static_cast<std::size_t>(parsed_->body_bytes));
  body_.assign(input_, 0, count);
  input_.erase(0, count);
}

}  // namespace chirp::http
