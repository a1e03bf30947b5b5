#include "cli/social/field_names.h"

namespace chirp::cli {
namespace {

FieldNames operator+(FieldNames names, const FieldNames& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

FieldNames summary_fields() { return {"userId", "username", "displayName", "profileImageUrl"}; }

FieldNames post_head() {
  return FieldNames{"postId"} + summary_fields() + FieldNames{"content",  "entities", "mediaUrls",
                                                              "altTexts", "postType", "privacy",
                                                              "createdAt"};
}

FieldNames post_counts() {
  return {"likeCount",       "commentCount",     "repostCount",      "likeCounts.like",
          "likeCounts.love", "likeCounts.laugh", "likeCounts.angry", "likeCounts.sad"};
}

}  // namespace

FieldNames user_fields() {
  return {"userId",         "username",        "displayName", "bio",
          "entities",       "profileImageUrl", "createdAt",   "followerCount",
          "followingCount", "postCount",       "email"};
}

FieldNames followed_fields() { return summary_fields() + FieldNames{"followedAt"}; }

FieldNames liker_fields() { return summary_fields() + FieldNames{"likeType", "createdAt"}; }

FieldNames comment_fields() {
  return {"commentId",       "postId",     "userId",          "username",  "displayName",
          "profileImageUrl", "content",    "parentCommentId", "createdAt", "entities",
          "likeCount",       "replyCount", "removed"};
}

FieldNames notification_fields() {
  return {"notificationId", "type",           "createdAt",         "read",
          "actor.userId",   "actor.username", "actor.displayName", "actor.profileImageUrl",
          "postId",         "commentId",      "likeType",          "content"};
}

FieldNames trend_fields() { return {"tag", "postCount", "score"}; }

FieldNames post_fields() {
  return post_head() + post_counts() +
         FieldNames{
             "repostOf.postId",           "repostOf.userId",          "repostOf.username",
             "repostOf.displayName",      "repostOf.profileImageUrl", "repostOf.content",
             "repostOf.entities",         "repostOf.mediaUrls",       "repostOf.altTexts",
             "repostOf.postType",         "repostOf.privacy",         "repostOf.createdAt",
             "repostOf.likeCount",        "repostOf.commentCount",    "repostOf.repostCount",
             "repostOf.likeCounts.like",  "repostOf.likeCounts.love", "repostOf.likeCounts.laugh",
             "repostOf.likeCounts.angry", "repostOf.likeCounts.sad"};
}

FieldNames item_fields(Ranked ranked, feed::Explain explain) {
  FieldNames names =
      post_head() + post_counts() + FieldNames{"userLiked", "userLikeType", "userReposted"};
  if (ranked == Ranked::kYes) names.emplace_back("score");
  names.emplace_back("repostedBy");
  if (explain == feed::Explain::kNo) return names;
  names = names + FieldNames{"explanation.reason", "explanation.via.userId",
                             "explanation.via.username", "explanation.source"};
  if (ranked == Ranked::kNo) return names;
  return names + FieldNames{"explanation.scoreParts.recency", "explanation.scoreParts.engagement",
                            "explanation.scoreParts.affinity", "explanation.scoreParts.variety"};
}

}  // namespace chirp::cli
