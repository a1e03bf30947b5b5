window.YTD.like.part0 = [
  {
    "like": {
      "tweetId": "1600000000000000001",
      "fullText": "A thread",
      "expandedUrl": "https://twitter.com/i/web/status/1600000000000000001"
    }
  },
  {
    "like": {
      "tweetId": "1600000000000000002",
      "fullText": "Second"
    }
  },
  {
    "like": {
      "tweetId": "1234",
      "expandedUrl": "https://twitter.com/i/web/status/1234"
    }
  }
]