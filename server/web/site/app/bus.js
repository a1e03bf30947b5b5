// Messages between the parts of the page, by name. A sender does not know its listeners.
//
//   signed-in {elsewhere}      a user has signed in, here or in another tab
//   signed-out {reason}        no user is signed in any more
//   account {user}             the account of this page is known, or was edited
//   live-open {fresh}          the stream is open; fresh: earlier events were not sent
//   live-lost                  the stream broke and is reconnecting
//   live-gap                   the log no longer reaches back to where the stream was
//   post, post_removed, counts, notification      events of the stream, with their data
//   posted {post, seconds}     this page has published
//   delivered {postId}         a post of this page is fully delivered
//   commenting {postId, step, answer}   this page adds a comment, or removes one; `answer` settles when it has
//   draft {key, by}            a draft was kept or forgotten, by the composer `by`; null: in another tab
//   write-comment              the focus should move to the field for a comment
//   again                      the link to the current view was followed
//   relation {userId, change}  this page has followed, muted or blocked, or undone it
//   cost {cost}                the x-ray has measured the cost of a feed page
//   waiting {count}            this many new posts wait to be shown
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
