#include "cli/input/html_links.h"

#include <fmt/format.h>

#include "cli/input/notations.h"
#include "core/model/utf8.h"

namespace chirp::cli::input {
namespace {

// An address must be one word in a text.
std::string as_word(std::string_view address) {
  std::string out;
  for (const char c : trimmed(address)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view without(std::string_view prefix, std::string_view text) {
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return text;
}

// The part of an address that people read.
std::string_view bare(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme != std::string_view::npos) address.remove_prefix(scheme + 3);
  address = without("www.", address);
  if (address.ends_with('/')) address.remove_suffix(1);
  return address;
}

bool is_shown_as(std::string_view address, std::string_view shown) {
  constexpr std::string_view kEllipsis = "…";
  if (!shown.ends_with(kEllipsis)) return bare(address) == bare(shown);
  shown.remove_suffix(kEllipsis.size());
  return !bare(shown).empty() && bare(address).starts_with(bare(shown));
}

// `mira` of `@mira` and `@mira@example.org`, and the domain, if any.
struct Handle {
  std::string_view user;
  std::string_view domain;
};
Handle handle_of(std::string_view text) {
  text = without("@", text);
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// The listed mention that belongs to this link: by its address, else by its server, else the only
// one with that name.
const HtmlMention* said_mention(const HtmlLink& link, std::string_view user,
                                const HtmlContext& context) {
  const HtmlMention* same_host = nullptr;
  const HtmlMention* same_user = nullptr;
  std::size_t users = 0;
  for (const HtmlMention& mention : context.mentions) {
    if (utf8::ascii_lower(handle_of(mention.name).user) != utf8::ascii_lower(user)) continue;
    if (mention.href == link.href) return &mention;
    if (host_of(mention.href) == host_of(link.href)) same_host = &mention;
    same_user = &mention;
    ++users;
  }
  if (same_host != nullptr) return same_host;
  return users == 1 ? same_user : nullptr;
}

std::string text_of_mention(const HtmlLink& link, std::string_view shown,
                            const HtmlContext& context) {
  const auto [user, shown_domain] = handle_of(shown);
  std::string domain(shown_domain);
  if (domain.empty()) {
    const HtmlMention* const said = said_mention(link, user, context);
    domain = said != nullptr ? std::string(handle_of(said->name).domain) : host_of(link.href);
  }
  if (domain.empty() || utf8::ascii_lower(domain) == utf8::ascii_lower(context.home))
    return fmt::format("@{}", user);
  return fmt::format("@{}@{}", user, domain);
}

}  // namespace

std::string host_of(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = address.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    host.remove_prefix(at + 1);
  }
  return utf8::ascii_lower(host.substr(0, host.find(':')));
}

std::string text_of_link(const HtmlLink& link, const HtmlContext& context) {
  const std::string_view shown = trimmed(link.shown);
  if (link.mention && shown.starts_with('@') && shown.size() > 1) {
    return text_of_mention(link, shown, context);
  }
  if (link.mention && shown.starts_with('#')) return std::string(shown);
  const std::string address = as_word(link.href);
  if (address.find("://") == std::string::npos) return std::string(shown);
  if (link.shortened || shown.empty() || is_shown_as(address, shown)) return address;
  return fmt::format("{} ({})", shown, address);
}

}  // namespace chirp::cli::input
