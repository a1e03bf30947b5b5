Grailbird.data.tweets_2013_06 = 
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
  "id_str": "341000000000000001",
  "text": "Only for those who follow me",
  "id": 341000000000000001,
  "created_at": "2013-06-01 10:00:00 +0000",
  "user": {
   "name": "Olek Wójcik",
   "screen_name": "olek_archive",
   "protected": true,
   "id_str": "602",
   "profile_image_url_https": "https://pbs.twimg.com/profile_images/1/x_normal.jpeg",
   "id": 602,
   "verified": false
  }
 }
]