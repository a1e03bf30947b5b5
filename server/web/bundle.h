// Many modules as one, so that a page that nobody holds yet costs one request for them all.
//
// Each module becomes a function that is called once, in the order in which modules need one
// another, and returns what it exports; imports become constants at the head of it. What is between
// stays as it is, line for line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace chirp::web {

// The text of the module of this name, such as `dom.js`; empty if there is none.
using ModuleText = std::function<std::string_view(std::string_view name)>;

// The module `entry` with all it needs. Imports begin a line, as `import { a, b as c } from
// './x.js';` or `import * as x from './x.js';`, and exports as `export` with a function, a constant
// or a class. Where modules need one another in a circle, what is imported from one that has yet to
// run is set before `entry` runs, which comes last. Throws std::logic_error for any other form, and
// for a module that there is not: these are faults of the page and not of who asks for it.
[[nodiscard]] std::string bundled(std::string_view entry, const ModuleText& text_of);

}  // namespace chirp::web
