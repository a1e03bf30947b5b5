#include "server/web/bundle.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace chirp::web {
namespace {

[[noreturn]] void refuse(std::string_view module, std::string_view what) {
  throw std::logic_error(
      fmt::format("The web page's {} can't be put into one module: {}", module, what));
}

// One import statement.
struct ModuleImport {
  std::string_view names;   // between the braces; empty for a whole module
  std::string_view whole;   // the whole module's name
  std::string_view module;  // such as `dom.js`
};

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  const std::size_t first = from + begin.size();
  const std::size_t last = text.find(end, first);
  return last == std::string_view::npos ? std::string_view{} : text.substr(first, last - first);
}

// Returns the constant for a module: `$dom` for `dom.js`.
std::string constant_of(std::string_view module) {
  return fmt::format("${}", module.substr(0, module.find('.')));
}

// Returns `a, b: c` for `a, b as c`, to destructure an object.
std::string taken_apart(std::string_view names) {
  constexpr std::string_view kAs = " as ";
  std::string text(names);
  for (std::size_t at = text.find(kAs); at != std::string::npos; at = text.find(kAs, at)) {
    text.replace(at, kAs.size(), ": ");
  }
  return text;
}

// Returns `a, c` for `a, b as c`.
std::string local_names(std::string_view names) {
  std::string list;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    std::string_view one = names.substr(0, comma);
    names.remove_prefix(std::min(comma + 1, names.size()));
    if (const std::size_t as = one.find(" as "); as != std::string_view::npos) {
      one.remove_prefix(as + 4);
    }
    if (one.find_first_not_of(" \n") == std::string_view::npos) continue;  // after the last comma
    list += fmt::format("{}{}", list.empty() ? "" : ",", one);
  }
  return list;
}

class Bundler {
 public:
  explicit Bundler(const ModuleText& text_of) : text_of_(text_of) {}

  std::string bundle(std::string_view entry) {
    text_ = "const $later = [];  // links between modules that need one another\n";
    entry_ = entry;
    add(entry);
    return std::move(text_);
  }

 private:
  // Adds a module after its missing dependencies.
  void add(std::string_view module) {
    const std::string_view source = text_of_(module);
    if (source.empty()) refuse(module, "there is no such file.");
    open_.insert(std::string(module));
    std::string body;
    std::vector<std::string_view> exports;
    for (std::string_view rest = source; !rest.empty();) {
      const bool imports = rest.starts_with("import ");
      const std::size_t end = rest.find(imports ? ";\n" : "\n");
      const std::size_t taken =
          end == std::string_view::npos ? rest.size() : end + (imports ? 2 : 1);
      const std::string_view part = rest.substr(0, taken);
      rest.remove_prefix(taken);
      if (imports) {
        body += import_of(module, part);
      } else if (part.starts_with("export ")) {
        exports.push_back(exported_by(module, part));
        body += part.substr(std::string_view("export ").size());
      } else {
        body += part;
      }
    }
    open_.erase(std::string(module));
    done_.insert(std::string(module));
    if (module == entry_) text_ += "\nfor (const link of $later) link();\n";
    text_ += fmt::format("\n// ---- {0}\nconst {1} = (() => {{\n{2}\nreturn {{ {3} }};\n}})();\n",
                         module, constant_of(module), body, fmt::join(exports, ", "));
  }

  // Returns the replacement of an import.
  std::string import_of(std::string_view module, std::string_view statement) {
    const ModuleImport import{.names = between(statement, "{", "}"),
                              .whole = between(statement, "* as ", " from"),
                              .module = between(statement, "'./", "';")};
    if (import.module.empty() || import.names.empty() == import.whole.empty()) {
      refuse(module, fmt::format("\"{}\" is not an import that it reads.", statement));
    }
    const std::string from = constant_of(import.module);
    const bool is_open = open_.contains(std::string(import.module));
    if (!is_open && !done_.contains(std::string(import.module))) add(import.module);
    if (import.names.empty()) {
      return is_open ? fmt::format("let {0}; $later.push(() => {{ {0} = {1}; }});\n", import.whole,
                                   from)
                     : fmt::format("const {} = {};\n", import.whole, from);
    }
    const std::string apart = taken_apart(import.names);
    return is_open ? fmt::format("let {}; $later.push(() => {{ ({{{}}} = {}); }});\n",
                                 local_names(import.names), apart, from)
                   : fmt::format("const {{{}}} = {};\n", apart, from);
  }

  static std::string_view exported_by(std::string_view module, std::string_view line) {
    constexpr std::string_view kName =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    for (const std::string_view what :
         {"export async function ", "export async function* ", "export function ",
          "export function* ", "export const ", "export class "}) {
      if (!line.starts_with(what)) continue;
      const std::string_view rest = line.substr(what.size());
      const std::string_view name = rest.substr(0, rest.find_first_not_of(kName));
      if (!name.empty()) return name;
    }
    refuse(module, fmt::format("\"{}\" is not an export that it reads.", line));
  }

  const ModuleText& text_of_;
  std::string_view entry_;
  std::string text_;
  std::set<std::string, std::less<>> open_;
  std::set<std::string, std::less<>> done_;
};

}  // namespace

std::string bundled(std::string_view entry, const ModuleText& text_of) {
  return Bundler(text_of).bundle(entry);
}

}  // namespace chirp::web
