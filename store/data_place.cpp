#include "store/data_place.h"

#include <algorithm>

#include "core/error.h"

namespace chirp::store {
namespace {

// Returns the position after `postgresql://`; 0 if it is not an address.
std::size_t after_scheme(std::string_view text) {
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (text.starts_with(scheme)) return scheme.size();
  }
  return 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Decodes %70 to p, as libpq does.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      plain.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
      i += 2;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

// Finds `NAME:…@`, at any position of the @: a password may contain what ends a host, a / or a ?.
// libpq's options with "password" in the name are passwords of the role or a certificate's key.
bool has_password(std::string_view address) {
  const std::size_t question = address.find('?');
  const std::string_view before = address.substr(0, question);
  const std::size_t colon = before.find(':');
  if (colon != std::string_view::npos) {
    const bool in_options = before.find('/') == std::string_view::npos;
    const std::string_view behind = in_options ? address.substr(colon) : before.substr(colon);
    if (behind.find('@') != std::string_view::npos) return true;
  }
  if (question == std::string_view::npos) return false;
  std::string_view rest = address.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view option = rest.substr(0, rest.find('&'));
    if (decoded(option.substr(0, option.find('='))).find("password") != std::string::npos) {
      return true;
    }
    rest.remove_prefix(std::min(option.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace

DataPlace DataPlace::named(std::string_view text) {
  const std::size_t begin = after_scheme(text);
  if (begin == 0) return DataPlace(std::filesystem::path(text));
  if (has_password(text.substr(begin))) {
    throw Error(ErrorCode::kInvalidArgument,
                "The address of the database holds a password, which every list of processes "
                "would show. Leave it out, and put it into ~/.pgpass, a file that PGPASSFILE "
                "names, a service file (service=NAME), or PGPASSWORD.",
                "data");
  }
  DataPlace place;
  place.url_ = text;
  return place;
}

}  // namespace chirp::store
