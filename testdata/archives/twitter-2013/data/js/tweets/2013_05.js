Grailbird.data.tweets_2013_05 = 
 [
 {
  "source": "web",
  "entities": {
   "user_mentions": [],
   "media": [],
   "hashtags": [],
   "urls": []
  },
  "geo": {},
  "id_str": "340600000000000003",
  "text": "RT @bob_archive: Tide tables &amp; bread at the ha…",
  "retweeted_status": {
   "source": "web",
   "entities": {
    "user_mentions": [],
    "media": [],
    "hashtags": [],
    "urls": []
   },
   "geo": {},
   "id_str": "340600000000000000",
   "text": "Tide tables &amp; bread at the harbour",
   "id": 340600000000000000,
   "created_at": "2013-05-30 20:00:00 +0000",
   "user": {
    "name": "Bob",
    "screen_name": "bob_archive",
    "protected": false,
    "id_str": "88",
    "id": 88,
    "verified": false
   }
  },
  "id": 340600000000000003,
  "created_at": "2013-05-31 22:29:28 +0000",
  "user": {
   "name": "Olek Wójcik",
   "screen_name": "olek_archive",
   "protected": false,
   "id_str": "602",
   "profile_image_url_https": "https://pbs.twimg.com/profile_images/1/x_normal.jpeg",
   "id": 602,
   "verified": false
  }
 },
 {
  "source": "web",
  "entities": {
   "user_mentions": [],
   "media": [],
   "hashtags": [],
   "urls": []
  },
  "geo": {},
  "id_str": "340600000000000002",
  "text": "and a second one, to myself",
  "in_reply_to_status_id_str": "340600000000000001",
  "id": 340600000000000002,
  "in_reply_to_status_id": 340600000000000001,
  "created_at": "2013-05-31 21:00:00 +0000",
  "in_reply_to_user_id_str": "602",
  "in_reply_to_screen_name": "olek_archive",
  "in_reply_to_user_id": 602,
  "user": {
   "name": "Olek Wójcik",
   "screen_name": "olek_archive",
   "protected": false,
   "id_str": "602",
   "profile_image_url_https": "https://pbs.twimg.com/profile_images/1/x_normal.jpeg",
   "id": 602,
   "verified": false
  }
 },
 {
  "source": "web",
  "entities": {
   "user_mentions": [],
   "media": [],
   "hashtags": [],
   "urls": [
    {
     "indices": [
      6,
      28
     ],
     "url": "http://t.co/short",
     "expanded_url": "http://example.org/nets",
     "display_url": "example.org/nets"
    }
   ]
  },
  "geo": {},
  "id_str": "340600000000000001",
  "text": "Nets: http://t.co/short",
  "id": 340600000000000001,
  "created_at": "2013-05-31 20:00:00 +0000",
  "user": {
   "name": "Olek Wójcik",
   "screen_name": "olek_archive",
   "protected": false,
   "id_str": "602",
   "profile_image_url_https": "https://pbs.twimg.com/profile_images/1/x_normal.jpeg",
   "id": 602,
   "verified": false
  }
 }
]