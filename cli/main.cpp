#include <cstdio>

#include "cli/version.h"

int main() {
  std::puts(chirp::cli::version_text().c_str());
  return 0;
}
