window.YTD.block.part0 = [
  {
    "blocking": {
      "accountId": "81",
      "userLink": "https://twitter.com/intent/user?user_id=81"
    }
  }
]