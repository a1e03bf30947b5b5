#include "core/model/account_address.h"

#include <algorithm>
#include <atomic>

#include "core/model/utf8.h"

namespace chirp {
namespace {

std::atomic<SpellDomain> spell_domain = nullptr;

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string domain_in_unicode(const std::string& domain) {
  const SpellDomain spell = spell_domain.load();
  const bool is_plain = is_ascii(domain) && domain.find("xn--") == std::string::npos;
  if (is_plain || spell == nullptr) return domain;
  return spell(domain).value_or(domain);
}

}  // namespace

std::string account_address(std::string_view word) {
  const std::size_t at = word.find('@');
  const bool is_account = at != std::string_view::npos && at > 0 &&
                          word.find('@', at + 1) == std::string_view::npos &&
                          word.find_first_of(" \t/:") == std::string_view::npos &&
                          word.find('.', at + 2) < word.size() - 1;
  if (!is_account) return std::string(word);
  const std::string small = utf8::ascii_lower(word);
  return small.substr(0, at + 1) + domain_in_unicode(small.substr(at + 1));
}

void set_spell_domain(SpellDomain spell) { spell_domain = spell; }

}  // namespace chirp
