// What one part of the page tells the others, by name, without knowing who listens.
//
// a user has signed in, here or in another tab
// no user is signed in any more
//   account {user}             the account of this page is known, or was edited
// the stream is open; fresh: earlier events were not sent
// the stream broke and is reconnecting
//   live-gap                   the log no longer reaches back to where the stream was
//   post, post_removed, counts, notification      events of the stream, with their data
//   posted {post, seconds}     this page has published
// a post of this page is fully delivered
//   commenting {postId, step, answer}   this page adds a comment, or removes one; `answer` settles when it has
//   draft {key, by}            a draft was kept or forgotten, by the composer `by`; null: in another tab
// move to the field for a comment
// the link to the current view was followed
//   relation {userId, change}  this page has followed, muted or blocked, or undone it
// the x-ray has measured the cost of a feed page
// this many new posts wait to be shown
//   xray {on}                  the x-ray was switched
//   policy                     how posts are delivered was switched
//   unread {count}             unread notifications

const target = new EventTarget();

// Listens until `signal` is aborted.
export function on(name, listener, signal) {
  target.addEventListener(name, (event) => listener(event.detail), { signal });
}

export function tell(name, detail = {}) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}
