window.YTD.profile.part0 = [
  {
    "profile": {
      "description": {
        "bio": "Boats & weather",
        "website": "https://t.co/abc",
        "location": "Tern Quay"
      },
      "avatarMediaUrl": "https://pbs.twimg.com/profile_images/77/face.png",
      "headerMediaUrl": "https://pbs.twimg.com/profile_banners/501/1"
    }
  }
]