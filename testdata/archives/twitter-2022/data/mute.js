window.YTD.mute.part0 = [
  {
    "muting": {
      "accountId": "78",
      "userLink": "https://twitter.com/intent/user?user_id=78"
    }
  }
]