window.YTD.follower.part0 = [
  {
    "follower": {
      "accountId": "77",
      "userLink": "https://twitter.com/intent/user?user_id=77"
    }
  },
  {
    "follower": {
      "accountId": "79",
      "userLink": "https://twitter.com/intent/user?user_id=79"
    }
  }
]