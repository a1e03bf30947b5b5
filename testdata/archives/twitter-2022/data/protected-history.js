window.YTD.protected_history.part0 = [
  {
    "protectedHistory": {
      "protectedAt": "2015-06-01T10:00:00.000Z",
      "action": "Unprotect"
    }
  },
  {
    "protectedHistory": {
      "protectedAt": "2015-01-01T10:00:00.000Z",
      "action": "Protect"
    }
  }
]