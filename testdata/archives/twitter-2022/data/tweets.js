window.YTD.tweets.part0 = [
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000003"
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
        "29"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000003",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000003",
      "created_at": "Mon Nov 07 09:02:00 +0000 2022",
      "favorited": false,
      "full_text": "And that is the whole thread.",
      "lang": "en",
      "in_reply_to_status_id": "1600000000000000002",
      "in_reply_to_status_id_str": "1600000000000000002",
      "in_reply_to_user_id": "501",
      "in_reply_to_user_id_str": "501",
      "in_reply_to_screen_name": "mira_archive"
    }
  },
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000002"
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
        "55"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000002",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000002",
      "created_at": "Mon Nov 07 09:01:00 +0000 2022",
      "favorited": false,
      "full_text": "@mira_archive Second: salt &amp; rope, &lt;both&gt; dry",
      "lang": "en",
      "in_reply_to_status_id": "1600000000000000001",
      "in_reply_to_status_id_str": "1600000000000000001",
      "in_reply_to_user_id": "501",
      "in_reply_to_screen_name": "mira_archive"
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
        "hashtags": [
          {
            "text": "boats",
            "indices": [
              "23",
              "29"
            ]
          }
        ],
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
  },
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000004"
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
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000004/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/pic1",
            "media_url": "http://pbs.twimg.com/media/one.png",
            "id_str": "91600000000000000004",
            "id": "91600000000000000004",
            "media_url_https": "https://pbs.twimg.com/media/one.png",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          }
        ]
      },
      "display_text_range": [
        "0",
        "44"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000004",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000004",
      "created_at": "Mon Nov 07 10:00:00 +0000 2022",
      "favorited": false,
      "full_text": "Two pictures from the quay https://t.co/pic1",
      "lang": "en",
      "extended_entities": {
        "media": [
          {
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000004/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/pic1",
            "media_url": "http://pbs.twimg.com/media/one.png",
            "id_str": "91600000000000000004",
            "id": "91600000000000000004",
            "ext_alt_text": "Nets on the quay wall",
            "media_url_https": "https://pbs.twimg.com/media/one.png",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          },
          {
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000004/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/pic1",
            "media_url": "http://pbs.twimg.com/media/two.png",
            "id_str": "91600000000000000004",
            "id": "91600000000000000004",
            "media_url_https": "https://pbs.twimg.com/media/two.png",
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
            "1600000000000000005"
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
        "31"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000005",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000005",
      "created_at": "Mon Nov 07 11:00:00 +0000 2022",
      "favorited": false,
      "full_text": "RT @tomas: Bread is in the oven",
      "lang": "en"
    }
  },
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000006"
          ]
        }
      },
      "retweeted": false,
      "source": "<a href=\"https://mobile.twitter.com\" rel=\"nofollow\">Twitter Web App</a>",
      "entities": {
        "hashtags": [],
        "symbols": [],
        "user_mentions": [],
        "urls": [
          {
            "url": "https://t.co/link",
            "expanded_url": "https://example.org/tides?year=2022&place=tern-quay",
            "display_url": "example.org/tides",
            "indices": [
              "32",
              "49"
            ]
          }
        ]
      },
      "display_text_range": [
        "0",
        "49"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000006",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000006",
      "created_at": "Mon Nov 07 12:00:00 +0000 2022",
      "favorited": false,
      "full_text": "@yuki yes, tomorrow. The table: https://t.co/link",
      "lang": "en",
      "in_reply_to_status_id": "1500000000000000099",
      "in_reply_to_status_id_str": "1500000000000000099",
      "in_reply_to_user_id": "77",
      "in_reply_to_screen_name": "yuki"
    }
  },
  {
    "tweet": {
      "edit_info": {
        "initial": {
          "editTweetIds": [
            "1600000000000000007"
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
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000007/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/bad",
            "media_url": "http://pbs.twimg.com/media/bad.jpg",
            "id_str": "91600000000000000007",
            "id": "91600000000000000007",
            "media_url_https": "https://pbs.twimg.com/media/bad.jpg",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          }
        ]
      },
      "display_text_range": [
        "0",
        "16"
      ],
      "favorite_count": "3",
      "id_str": "1600000000000000007",
      "truncated": false,
      "retweet_count": "1",
      "id": "1600000000000000007",
      "created_at": "Mon Nov 07 13:00:00 +0000 2022",
      "favorited": false,
      "full_text": "https://t.co/bad",
      "lang": "en",
      "extended_entities": {
        "media": [
          {
            "expanded_url": "https://twitter.com/mira_archive/status/1600000000000000007/photo/1",
            "indices": [
              "0",
              "23"
            ],
            "url": "https://t.co/bad",
            "media_url": "http://pbs.twimg.com/media/bad.jpg",
            "id_str": "91600000000000000007",
            "id": "91600000000000000007",
            "media_url_https": "https://pbs.twimg.com/media/bad.jpg",
            "type": "photo",
            "display_url": "pic.twitter.com/x"
          }
        ]
      }
    }
  }
]