window.YTD.deleted_tweet_headers.part0 = [
  {
    "tweet": {
      "tweet_id": "1599999999999999999"
    }
  }
]