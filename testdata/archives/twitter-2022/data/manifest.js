window.__THAR_CONFIG = {
  "userInfo": {
    "accountId": "501",
    "userName": "mira_archive",
    "displayName": "Mira Okafor"
  },
  "archiveInfo": {
    "sizeBytes": "4711"
  },
  "dataTypes": {
    "tweets": {
      "files": [
        {
          "fileName": "data/tweets.js",
          "globalName": "YTD.tweets.part0",
          "count": "8"
        }
      ]
    }
  }
}