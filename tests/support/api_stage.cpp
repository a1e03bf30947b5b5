#include "tests/support/api_stage.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/ports/forwarding_storage.h"
#include "core/settings.h"
#include "tests/support/api_client.h"
#include "tests/support/password.h"
#include "tests/support/pictures.h"
#include "tests/support/stream_reader.h"

namespace chirp::test {
namespace {

// A store that is not to be had while `busy`.
class BusyStorage final : public ForwardingStorage {
 public:
  BusyStorage(Storage& inner, const bool& busy) : ForwardingStorage(inner), busy_(busy) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    check();
    return ForwardingStorage::snapshot();
  }
  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    check();
    return ForwardingStorage::write(changes, now);
  }

 private:
  void check() const {
    if (busy_) throw Error(ErrorCode::kUnavailable, "others write for too long; try again");
  }
  const bool& busy_;
};

class InProcess final : public ApiStage {
 public:
  InProcess(Setting setting, const bool& busy, std::size_t caller_bytes)
      : storage_(client_.storage, busy), callers_(engine_, caller_bytes) {
    for (const settings::SettingChange& change : changes_for(setting)) {
      settings::set(client_.storage, change.key, change.text, client_.clock.now());
    }
    app_ = api::make_app({.engine = engine_,
                          .callers = callers_,
                          .hub = client_.hub,
                          .metrics = client_.metrics,
                          .log = client_.log,
                          .version = "1.2.3",
                          .healthy = [setting] { return setting != Setting::kUnwell; },
                          .demo = demo_of(setting)});
  }

  [[nodiscard]] PlainAnswer ask(const Ask& ask) override {
    Asking asking{ask.token, ask.body, ask.type};
    for (const auto& [name, value] : ask.headers) asking.headers.push_back({folded(name), value});
    const http::Request request = request_for(http::method_named(ask.method), ask.target, asking);
    client_.clock.advance(1);
    if (const auto refused = refusal_of(request)) return *refused;
    return plain(app_->answer(request), ask.events);
  }

 private:
  std::optional<api::Demo> demo_of(Setting setting) {
    if (setting == Setting::kNoDemo) return std::nullopt;
    constexpr UserNumber kKeeper{4'000'000'000};
    const bool one = setting == Setting::kDemoForOne;
    return api::Demo{stage_, one ? std::vector{kKeeper} : std::vector<UserNumber>()};
  }

  // What the front asks before it takes a body.
  std::optional<PlainAnswer> refusal_of(const http::Request& request) {
    const http::Admission admission = app_->admit(request);
    if (request.body.size() <= admission.body_max) return std::nullopt;
    return plain(app_->refuse({413, "too much", request.address, request.id}), 0);
  }

  static PlainAnswer plain(const http::Response& response, std::size_t events) {
    PlainAnswer answer = plain_answer(response);
    if (response.stream) answer.body = read_events(response.stream, events);
    return answer;
  }

  ApiClient client_;
  BusyStorage storage_;
  Engine engine_{storage_, client_.directory, client_.hasher, client_.clock};
  api::Callers callers_;
  live::Stage stage_{engine_, client_.deliveries};
  std::unique_ptr<http::App> app_;
};

}  // namespace

std::vector<settings::SettingChange> changes_for(Setting setting) {
  const bool few = setting == Setting::kFewRequests;
  std::vector<settings::SettingChange> changes{
      {"auth.bcrypt_cost", "4"},
      {"http.rate_limit", few ? "12" : "1000000"},
      {"http.rate_limit_anonymous", few ? "12" : "1000000"},
  };
  if (setting == Setting::kFewLogins) {
    changes.push_back({"http.login_failures", "2"});
    changes.push_back({"http.login_failures_address", "2"});
  }
  if (setting == Setting::kFewFiles) changes.push_back({"media.max", "1"});
  if (setting == Setting::kFewFollows) changes.push_back({"follow.max", "1"});
  return changes;
}

PlainAnswer ApiStage::get(const std::string& target, const ViewedAuthor& who) {
  return ask({"GET", target, who.token});
}
PlainAnswer ApiStage::post(const std::string& target, const ViewedAuthor& who,
                           const std::string& body) {
  return ask({"POST", target, who.token, body});
}
PlainAnswer ApiStage::put(const std::string& target, const ViewedAuthor& who) {
  return ask({"PUT", target, who.token});
}
PlainAnswer ApiStage::remove(const std::string& target, const ViewedAuthor& who) {
  return ask({"DELETE", target, who.token});
}

PlainAnswer ApiStage::done(const Ask& wanted, int status) {
  PlainAnswer answer = ask(wanted);
  INFO(wanted.method << ' ' << wanted.target << ' ' << wanted.body << ": " << answer.body);
  REQUIRE(answer.status == status);
  return answer;
}

ViewedAuthor ApiStage::person() {
  const std::string name = fmt::format("person_{}", ++people_);
  const auto signed_up =
      done({"POST", "/v1/users", "",
            fmt::format(R"({{"username":"{0}","email":"{0}@example.org","password":"{1}"}})", name,
                        kPassword)},
           201);
  const auto session =
      done({"POST", "/v1/sessions", "",
            fmt::format(R"({{"username":"{}","password":"{}"}})", name, kPassword)},
           201);
  return {signed_up.json()["userId"].text(), name, session.json()["token"].text()};
}

std::string ApiStage::post_by(const ViewedAuthor& who, std::string_view privacy) {
  const std::string body =
      fmt::format(R"({{"content":"First frost #garden","privacy":"{}"}})", privacy);
  return "/v1/posts/" + done({"POST", "/v1/posts", who.token, body}, 201).json()["postId"].text();
}

std::string ApiStage::comment_by(const ViewedAuthor& who, const std::string& post) {
  const auto answer =
      done({"POST", post + "/comments", who.token, R"({"content":"So cold"})"}, 201);
  return "/v1/comments/" + answer.json()["commentId"].text();
}

std::string ApiStage::upload_by(const ViewedAuthor& who) {
  const auto answer = done({"POST", "/v1/media", who.token, png(), "image/png"}, 201);
  return answer.json()["url"].text();
}

void ApiStage::follow(const ViewedAuthor& who, const ViewedAuthor& whom) {
  done({"POST", whom.at() + "/follow", who.token}, 204);
}

void ApiStage::block(const ViewedAuthor& who, const ViewedAuthor& whom) {
  done({"PUT", whom.at() + "/block", who.token}, 204);
}

std::string id_in_path(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::unique_ptr<ApiStage> stage_in_process(Setting setting) {
  static const bool kNever = false;
  return std::make_unique<InProcess>(setting, kNever, std::size_t{1} << 20);
}

std::unique_ptr<ApiStage> stage_with_busy_store(const bool& busy) {
  // Without cached callers, who can still do what needs only the users' store.
  return std::make_unique<InProcess>(Setting::kUsual, busy, 0);
}

}  // namespace chirp::test
