#include "server/web/assets.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "server/web/bundle.h"

namespace chirp::web {
namespace {

constexpr std::string_view kEntry = "main.js";

const Asset* find_in(std::span<const Asset> all, std::string_view path) {
  const auto found = std::lower_bound(
      all.begin(), all.end(), path,
      [](const Asset& asset, std::string_view sought) { return asset.path < sought; });
  return found != all.end() && found->path == path ? &*found : nullptr;
}

std::string_view text_of(std::string_view path) {
  const Asset* const source = find_in(sources(), path);
  return source == nullptr ? std::string_view{} : source->body;
}

// Returns the address in a line of the page; empty if it has none.
std::string_view address_in(std::string_view line) {
  for (const std::string_view attribute : {" href=\"", " src=\""}) {
    const std::size_t at = line.find(attribute);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + attribute.size());
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

// Everything that is served. Its strings never move.
class Site {
 public:
  Site() {
    for (const Asset& source : sources()) {
      if (source.path != "/") all_.push_back(source);
    }
    rewrite_page();
    keep("app.js", "text/javascript; charset=utf-8", bundled(kEntry, [](std::string_view name) {
           return text_of(fmt::format("/app/{}", name));
         }));
    keep("style.css", "text/css; charset=utf-8", std::move(sheets_));
    all_.push_back({"/", "text/html; charset=utf-8", hold(std::move(page_)),
                    hold(fmt::format("\"{}\"", version())), Holding::kAsked});
    std::sort(all_.begin(), all_.end(),
              [](const Asset& a, const Asset& b) { return a.path < b.path; });
  }

  [[nodiscard]] std::span<const Asset> all() const { return all_; }

 private:
  std::string_view hold(std::string text) { return strings_.emplace_back(std::move(text)); }

  static std::string path_of(std::string_view name) {
    return fmt::format("/site-{}/{}", version(), name);
  }

  // Adds an asset that browsers may cache forever, under the version's name.
  void keep(std::string_view name, std::string_view type, std::string body) {
    all_.push_back({hold(path_of(name)), type, hold(std::move(body)),
                    hold(fmt::format("\"{}-{}\"", version(), name)), Holding::kForever});
  }

  // Adds a source in the same way. Returns its name.
  std::string kept_source(std::string_view path) {
    const std::string name(path.substr(path.rfind('/') + 1));
    const Asset* const source = find_in(sources(), path);
    keep(name, source->type, std::string(source->body));
    return path_of(name);
  }

  // Rewrites the page line by line to name the bundles instead of the files. Keeps the order of the
  // style sheets.
  void rewrite_page() {
    for (std::string_view rest = text_of("/"); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n') + 1, rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end);
      const std::string_view address = address_in(line);
      if (line.find("rel=\"stylesheet\"") != std::string_view::npos) {
        if (sheets_.empty()) {
          page_ += fmt::format("<link rel=\"stylesheet\" href=\"{}\">\n", path_of("style.css"));
        }
        sheets_ += text_of(address);
      } else if (line.find("type=\"module\"") != std::string_view::npos) {
        page_ += fmt::format("<script type=\"module\" src=\"{}\"></script>\n", path_of("app.js"));
      } else if (find_in(sources(), address) != nullptr) {
        std::string changed(line);
        page_ += changed.replace(changed.find(address), address.size(), kept_source(address));
      } else {
        page_ += line;
      }
    }
  }

  std::vector<Asset> all_;
  std::deque<std::string> strings_;
  std::string page_;
  std::string sheets_;
};

const Site& site() {
  static const Site made;
  return made;
}

}  // namespace

std::span<const Asset> assets() { return site().all(); }

const Asset* find(std::string_view path) { return find_in(assets(), path); }

}  // namespace chirp::web
