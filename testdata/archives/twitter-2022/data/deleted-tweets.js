window.YTD.deleted_tweets.part0 = [
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1599999999999999999"
          ]
        }
      },
      "retweeted": false,
      "source": "<a href=\"https://mobile.twitter.com\" rel=\"nofollow\">Twitter Web App</a>",
      "entities": {
        "hashtags": [],
        "symbols": [],
        "user_mentions": [],
        "urls": []
      },
      "display_text_range": [
        "0",
        "13"
      ],
      "favorite_count": "3",
      "id_str": "1599999999999999999",
      "truncated": false,
      "retweet_count": "1",
      "id": "1599999999999999999",
      "created_at": "Sun Nov 06 08:00:00 +0000 2022",
      "favorited": false,
      "full_text": "Gone for good",
      "lang": "en",
      "deleted_at": "2022-11-06T09:00:00.000Z"
    }
  }
]