window.YTD.direct_message_headers.part0 = [
  {
    "dmConversation": {
      "conversationId": "77-501",
      "messages": [
        {
          "messageCreate": {
            "id": "1"
          }
        }
      ]
    }
  }
]