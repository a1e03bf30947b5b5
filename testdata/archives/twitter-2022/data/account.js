window.YTD.account.part0 = [
  {
    "account": {
      "email": "mira@example.org",
      "createdVia": "web",
      "username": "mira_archive",
      "accountId": "501",
      "createdAt": "2011-04-02T08:30:00.000Z",
      "accountDisplayName": "Mira Okafor"
    }
  }
]