// Turns answers into bytes, with the HTTP library: the head, gzip, what HEAD leaves out.
//
// Nothing of a request reaches the library or the head of an answer. For one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "server/http/exchange.h"
#include "server/http/head.h"

namespace chirp::http {

// Bodies below this are not worth compressing: they would grow, or gain less than it costs.
inline constexpr std::size_t kCompressedFrom = 256;

class AnswerWriter {
 public:
  // For how long connections are kept, as answers say.
  explicit AnswerWriter(std::chrono::seconds idle);
  ~AnswerWriter();
  AnswerWriter(const AnswerWriter&) = delete;
  AnswerWriter& operator=(const AnswerWriter&) = delete;

  // Takes the body. An answer with a header that is none (a line end in it, say) becomes a 500.
  // Never throws but for want of memory.
  [[nodiscard]] std::string write(Method method, Coding coding, After after, Response& response);

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

// What is answered when the App throws: a 500 that tells nothing.
[[nodiscard]] Response fault_of_ours();

}  // namespace chirp::http
