// The figures of `chirp lab --json`, to stand beside a stage.
#pragma once

#include <string>

namespace chirp::cli {

// The fields of LabFigures (docs/openapi.yaml) out of a file of at most a megabyte, without braces;
// what the stage does not show is left out. Throws Error{kBadInput}, naming the file, if it can't
// be read or is none.
[[nodiscard]] std::string read_lab_file(const std::string& path);

}  // namespace chirp::cli
