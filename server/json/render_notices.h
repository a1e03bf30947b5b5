// Writes trends and notifications as JSON, for the HTTP API and the command line.
#pragma once

#include <string_view>

#include "core/social/notification_folds.h"
#include "core/social/notifications.h"
#include "core/social/trends.h"
#include "server/json/json_writer.h"

namespace chirp::api {

void write_trend(JsonWriter& json, const social::Trend& trend);
// `window` is the text of the request.
void write_trends(JsonWriter& json, const social::TrendList& list, std::string_view window);

void write_notification(JsonWriter& json, const social::NotificationView& view);  // Notification
void write_notifications(JsonWriter& json, const social::NotificationPage& page);
// NotificationPage of folded notifications
void write_folded_notifications(JsonWriter& json, const social::FoldedPage& page);

}  // namespace chirp::api
