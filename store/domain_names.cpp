#include "store/domain_names.h"

#include <idn2.h>
#include <memory>

#include "store/shared_library.h"

namespace chirp::store {
namespace {

struct Libidn2 {
  SharedLibrary library{CHIRP_LIBIDN2, "Comparing domains with international letters"};
  decltype(&::idn2_lookup_u8) to_ascii = library.function("idn2_lookup_u8");
  decltype(&::idn2_to_unicode_8z8z) to_unicode = library.function("idn2_to_unicode_8z8z");
  decltype(&::idn2_free) free = library.function("idn2_free");
};

const Libidn2& libidn2() {
  static const Libidn2 opened;
  return opened;
}

struct Free {
  void operator()(void* text) const { libidn2().free(text); }
};

}  // namespace

std::optional<std::string> domain_in_unicode(const std::string& domain) {
  // Conversion to ASCII maps letters as browsers do; the conversion back only decodes.
  std::uint8_t* ascii = nullptr;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(domain.c_str());
  const int code = libidn2().to_ascii(bytes, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  const std::unique_ptr<std::uint8_t, Free> owned(ascii);
  if (code != IDN2_OK) return std::nullopt;
  char* text = nullptr;
  const int back = libidn2().to_unicode(reinterpret_cast<const char*>(ascii), &text, 0);
  const std::unique_ptr<char, Free> owned_text(text);
  if (back != IDN2_OK) return std::nullopt;
  return std::string(text);
}

}  // namespace chirp::store
