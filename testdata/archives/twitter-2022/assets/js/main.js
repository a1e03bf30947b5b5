console.log("no data")
