#include "cli/danger.h"

#include <utility>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace chirp::cli {
namespace {

// "3 posts, 1 comment and 2 followers", or empty.
std::string counts_of(const Loss& loss) {
  std::vector<std::string> parts;
  for (const auto& [key, one, many, n] : loss.counts) {
    if (n > 0) parts.push_back(counted(n, one, many));
  }
  std::string words;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) words += i + 1 == parts.size() ? " and " : ", ";
    words += parts[i];
  }
  return words;
}

void print_loss(Output& out, const Loss& loss) {
  if (!out.json()) {
    std::vector<std::pair<std::string, std::string>> facts{
        {fmt::format("would {}", loss.verb), loss.what}};
    for (const auto& [key, one, many, n] : loss.counts) {
      facts.emplace_back(many, std::to_string(n));
    }
    return print_facts(out, facts);
  }
  api::JsonWriter json;
  json.begin_object().field("dryRun", true).field("what", loss.what);
  json.key(loss.key).begin_object();
  for (const auto& [key, one, many, n] : loss.counts) json.field(key, n);
  json.end_object().end_object();
  out.document(json);
}

std::string question(const Loss& loss) {
  const std::string counts = counts_of(loss);
  return fmt::format("This {}s {}{}{}, and can't be undone. Go on?", loss.verb, safe(loss.what),
                     counts.empty() ? "" : ", with ", counts);
}

}  // namespace

void add_consent(Command& verb, Consent& consent, const char* dry_run) {
  verb.add_flag("--yes", consent.yes, "Don't ask for confirmation, even at a terminal");
  verb.add_flag("--dry-run", consent.dry_run, dry_run);
}

std::optional<Status> ended_before(Context& context, const Consent& consent,
                                   const std::function<Loss()>& loss) {
  if (consent.dry_run) {
    print_loss(context.out(), loss());
    return Status::kDone;
  }
  if (consent.yes || !can_ask() || ask_whether(question(loss()))) return std::nullopt;
  context.out().note("Nothing is changed.");
  return Status::kFailed;
}

}  // namespace chirp::cli
