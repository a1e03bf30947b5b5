// Bundles modules into one, so that a page without cached files needs one request for all of them.
//
// Each module becomes a function that is called once, in the order of dependencies, and returns its
// exports; imports become constants at its start. The rest stays unchanged, line for line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace chirp::web {

// Returns the text of a module, such as `dom.js`; empty if it is missing.
using ModuleText = std::function<std::string_view(std::string_view name)>;

// Bundles the module `entry` with all its dependencies. Imports must begin a line, as `import { a,
// b as c } from './x.js';` or `import * as x from './x.js';`, and exports as `export` with a
// function, a constant or a class. In an import cycle, imports from a module that has not run yet
// are set before `entry` runs, which is last. Throws std::logic_error for any other form and for a
// missing module: these are errors of the page, not of a client.
[[nodiscard]] std::string bundled(std::string_view entry, const ModuleText& text_of);

}  // namespace chirp::web
