// Forms with a file: the first line is the header with the boundary, the rest the body. The
// extracted file is part of the body, and is extracted again from a form written around it.
#include "server/api/multipart.h"

#include <string>

#include <fmt/format.h>

#include "server/api/problem.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {

void multipart(Bytes input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string header(input.substr(0, end));
  const Bytes body = input.substr(std::min(end + 1, input.size()));
  api::FormFile file;
  try {
    file = api::form_file(header, body);
  } catch (const api::Problem& problem) {
    holds(problem.status == 400 && !problem.detail.empty(), "a broken form is refused with 400");
    return;
  }
  holds(file.bytes.empty() || (file.bytes.data() >= body.data() &&
                               file.bytes.data() + file.bytes.size() <= body.data() + body.size()),
        "the file is a part of the body");
  const Bytes delimiter = body.substr(0, body.find("\r\n"));
  const std::string again = fmt::format(
      "{0}\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: "
      "{1}\r\n\r\n{2}\r\n{0}--",
      delimiter, file.type, file.bytes);
  const api::FormFile same = api::form_file(header, again);
  holds(same.type == file.type && same.bytes == file.bytes, "a form written anew says the same");
}

}  // namespace chirp::fuzz
