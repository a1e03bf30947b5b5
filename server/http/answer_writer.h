// Turns answers into bytes: the head, gzip, what HEAD leaves out.
//
// Nothing of a request reaches the head of an answer. For one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ports/clock.h"
#include "server/http/exchange.h"
#include "server/http/head.h"

namespace chirp::http {

// Bodies below this are not worth compressing: they would grow, or gain less than it costs.
inline constexpr std::size_t kCompressedFrom = 256;

// Whether bodies of this type become smaller, so that caches must keep apart what clients accept.
[[nodiscard]] bool is_compressible(std::string_view type);
[[nodiscard]] std::string gzipped(std::string_view bytes);

class AnswerWriter {
 public:
  // `clock` must outlive it. `idle`: for how long connections are kept, as answers say.
  AnswerWriter(const Clock& clock, std::chrono::seconds idle);
  // Takes the body; of a source it writes the head alone. An answer with a header that is none (a
  // line end in it, say) becomes a 500. Never throws but for want of memory.
  [[nodiscard]] std::string write(Method method, Coding coding, After after, Response& response);

 private:
  std::string_view date();

  const Clock& clock_;
  const std::string keep_alive_;
  std::int64_t dated_ = -1;
  std::string date_;  // of that second
};

// What is answered when the App throws: a 500 that tells nothing.
[[nodiscard]] Response fault_of_ours();

}  // namespace chirp::http
