window.YTD.following.part0 = [
  {
    "following": {
      "accountId": "77",
      "userLink": "https://twitter.com/intent/user?user_id=77"
    }
  },
  {
    "following": {
      "accountId": "78",
      "userLink": "https://twitter.com/intent/user?user_id=78"
    }
  },
  {
    "following": {
      "accountId": "501",
      "userLink": "https://twitter.com/intent/user?user_id=501"
    }
  },
  {
    "following": {
      "accountId": "900719925474099312",
      "userLink": "https://twitter.com/intent/user?user_id=900719925474099312"
    }
  }
]