window.YTD.tweets.part1 = [
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000008"
          ]
        }
      },
      "retweeted": false,
      "source": "<a href=\"https://mobile.twitter.com\" rel=\"nofollow\">Twitter Web App</a>",
      "entities": {
        "hashtags": [],
        "symbols": [],
        "user_mentions": [],
        "urls": [],
        "media": [
          {
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000008/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/lost",
            "media_url": "http://pbs.twimg.com/media/lost.png",
            "id_str": "91600000000000000008",
            "id": "91600000000000000008",
            "media_url_https": "https://pbs.twimg.com/media/lost.png",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          }
        ]
      },
      "display_text_range": [
        "0",
        "38"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000008",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000008",
      "created_at": "Tue Nov 08 08:00:00 +0000 2022",
      "favorited": false,
      "full_text": "No file for this one https://t.co/lost",
      "lang": "en",
      "extended_entities": {
        "media": [
          {
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000008/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/lost",
            "media_url": "http://pbs.twimg.com/media/lost.png",
            "id_str": "91600000000000000008",
            "id": "91600000000000000008",
            "media_url_https": "https://pbs.twimg.com/media/lost.png",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          }
        ]
      }
    }
  },
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000001"
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
        "28"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000001",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000001",
      "created_at": "Mon Nov 07 09:00:00 +0000 2022",
      "favorited": false,
      "full_text": "A thread about nets 🧵 #boats",
      "lang": "en"
    }
  }
]