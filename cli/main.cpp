// The program: cli/commands.h is its table of contents.
#include "cli/app.h"
#include "cli/process.h"

int main(int argc, char** argv) {
  chirp::cli::prepare_process();
  return chirp::cli::CommandLine().run(argc, argv);
}
