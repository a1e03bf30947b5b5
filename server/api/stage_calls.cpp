// Operations of a demo's stage: switching the delivery of posts, and the stream of events.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/limits.h"
#include "core/settings.h"
#include "server/api/operations.h"
#include "server/json/render_content.h"

namespace chirp::api {
namespace {

using http::Method;
using http::Response;

// Throws Problem 403 if the caller may not switch the stage.
const Demo& demo_for(const Call& call) {
  const Demo& demo = *call.parts().demo;
  const bool may = demo.who.empty() || std::ranges::count(demo.who, call.me().number) > 0;
  if (!may)
    throw forbidden("The stage is only for the accounts that the operator of the server named.");
  return demo;
}

Response state_of(const Call& call, const Demo& demo) {
  const StoreState state = call.engine().storage().snapshot()->state();
  JsonWriter body;
  body.begin_object();
  write_engine_fields(body, state.settings);
  body.field("pendingEvents", state.log_end.value - state.fan_out.value);
  body.field("queuedPosts", state.fan_out_queue);
  if (!demo.lab.empty()) body.key("lab").begin_object().fields(demo.lab).end_object();
  body.end_object();
  return json(200, body);
}

Response get_stage(Call& call) { return state_of(call, demo_for(call)); }

std::vector<settings::SettingChange> changes_in(JsonBody body) {
  std::vector<settings::SettingChange> changes;
  if (const auto name = body.string("policy", Need::kOptional)) {
    if (!feed::policy_named(*name)) {
      body.fault("policy", "is not push, pull, hybrid or cost");
    }
    changes.push_back({"feed.policy", *name});
  }
  const auto bound = [&](std::string_view field, const char* key) {
    const auto followers =
        body.integer(field, Need::kOptional, 1, std::int64_t{limits::kFollowersMax});
    if (followers) changes.push_back({key, std::to_string(*followers)});
  };
  bound("influencerFrom", "tier.influencer_from");
  bound("celebrityAbove", "tier.celebrity_above");
  body.check();
  return changes;
}

// Changes all settings or none, like `chirp config set`.
Response switch_stage(Call& call) {
  const Demo& demo = demo_for(call);
  const auto changes = changes_in(call.body());
  try {
    settings::set(call.engine().storage(), changes, call.engine().clock().now());
  } catch (const Error& error) {
    // Each value was checked, so the order of the two tier limits is wrong.
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    throw unprocessable({{"celebrityAbove", "would be below influencerFrom"}});
  }
  demo.stage.wake();
  return state_of(call, demo);
}

Response watch_stage(Call& call) {
  const Demo& demo = demo_for(call);
  return event_stream([&] { return demo.stage.open(call.me().number, call.token_check()); });
}

}  // namespace

std::span<const Operation> stage_calls() {
  static constexpr std::array kOperations{
      reading("/v1/stage", "getStage", get_stage),
      writing(Method::kPatch, "/v1/stage", "switchStage", switch_stage, Body::kJson),
      reading("/v1/stage/stream", "watchStage", watch_stage),
  };
  return kOperations;
}

}  // namespace chirp::api
