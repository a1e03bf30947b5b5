#include "cli/bench/reference/served.h"

#include <string>

#include "cli/bench/http_load.h"
#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::cli::bench {

Served::Served(store::DataDirectory& directory, const Clock& clock, std::uint64_t cache_bytes)
    : hasher_(store::bcrypt_hasher()),
      storage_(group_writes(directory.storage(), clock, metrics_, [this] { listener_.notify(); })),
      hot_(cache_bytes == 0
               ? nullptr
               : std::make_unique<hot::HotSet>(directory.storage(), clock, cache_bytes)),
      engine_(*storage_, directory.users(), *hasher_, clock, hot_.get()),
      upkeep_({*storage_, directory.users(), *hasher_, clock, log_, metrics_,
               [&directory] { return std::shared_ptr<void>(directory.try_consumer_right()); },
               [this] { return reading_share(); }}) {
  listener_.set([this] { upkeep_.wake(); });
  upkeep_.start();
}

double Served::reading_share() const {
  const hot::Use use = this->use();
  const std::uint64_t pages = use.from_memory + use.from_store;
  return pages == 0 ? 1 : static_cast<double>(use.from_store) / static_cast<double>(pages);
}

std::uint64_t Served::deliveries() const {
  return static_cast<std::uint64_t>(metric(metrics_.text(), "chirp_deliveries_total"));
}

void Served::read(UserNumber reader) {
  feed::PageRequest request;
  request.viewer = reader;
  const feed::Page page = engine_.feeds().page(request);
  const bool from_store = page.cost.sources != 0;
  if (page.upkeep != feed::Upkeep::kNone || from_store) upkeep_.after_read(reader, page.upkeep);
}

void Served::publish(UserNumber author, std::string_view text) {
  const auto card = reads::cards(*storage_->snapshot(), {&author, 1}).front();
  check(card.has_value(), "who posts in a measured world is there");
  User user;
  user.number = author;
  user.id = card->id;
  user.username = card->username;
  user.display_name = card->display_name;
  (void)engine_.posts().publish(user, text);
}

}  // namespace chirp::cli::bench
