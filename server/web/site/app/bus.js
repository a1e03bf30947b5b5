// What one part of the page tells the others, by name, without knowing who listens.
//
//   signed-in {elsewhere}      somebody has signed in, here or in another tab
//   signed-out {reason}        nobody is signed in any more
//   account {user}             the account of this page is known, or was edited
//   live-open {fresh}          the stream stands; fresh: what came before it was not sent
//   live-lost                  the stream broke and is coming back
//   live-gap                   the log no longer reaches back to where the stream was
//   post, post_removed, counts, notification      events of the stream, with their data
//   posted {post, seconds}     this page has published
//   delivered {postId}         nothing is left to be delivered of a post of this page
//   commenting {postId, step, answer}   this page adds a comment, or removes one; `answer` settles when it has
//   draft {key, by}            a draft was kept or forgotten, by the composer `by`; null: in another tab
//   write-comment              the field for a comment is wanted
//   again                      the link of the view that is shown was followed
//   relation {userId, change}  this page has followed, muted or blocked, or undone it
//   cost {cost}                the x-ray has seen what a page of the feed cost
//   waiting {count}            so many new posts wait to be shown
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
