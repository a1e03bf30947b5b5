window.YTD.direct_messages_group.part0 = [
  {
    "dmConversation": {
      "conversationId": "9",
      "messages": [
        {
          "joinConversation": {
            "initiatingUserId": "8"
          }
        },
        {
          "messageCreate": {
            "text": "a group secret",
            "senderId": "8",
            "id": "3"
          }
        }
      ]
    }
  }
]