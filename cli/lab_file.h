// The figures of `chirp lab --json`, shown beside a stage.
#pragma once

#include <string>

namespace chirp::cli {

// Returns the fields of LabFigures (docs/openapi.yaml) in a file of at most a megabyte, without
// braces. Fields that the stage does not show are left out. Throws Error{kBadInput}, naming the
// file, if it can't be read or has another form.
[[nodiscard]] std::string read_lab_file(const std::string& path);

}  // namespace chirp::cli
