window.YTD.direct_messages.part0 = [
  {
    "dmConversation": {
      "conversationId": "77-501",
      "messages": [
        {
          "messageCreate": {
            "recipientId": "77",
            "text": "a secret with \"messageCreate\" in it",
            "senderId": "501",
            "id": "1",
            "createdAt": "2022-01-01T10:00:00.000Z"
          }
        },
        {
          "messageCreate": {
            "recipientId": "501",
            "text": "another secret",
            "senderId": "77",
            "id": "2",
            "createdAt": "2022-01-01T10:01:00.000Z"
          }
        }
      ]
    }
  }
]