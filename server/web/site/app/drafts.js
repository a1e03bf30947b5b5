// What was written and is not published yet: kept for each account in this browser, so that neither a
// reload, nor a link that was followed, nor a sign-in that has ended takes it away. A draft goes when
// it is published or thrown away.

import { on, tell } from './bus.js';
import { message } from './notice.js';
import { ofBrowser } from './storage.js';
import * as session from './session.js';

const PREFIX = 'chirp.draft.';
const NOBODY = 'nobody';  // who has yet to sign in
let hasRoom = true;

const keyOf = (userId, place) => `${PREFIX}${userId}.${place}`;
const keysOf = (userId) => ofBrowser.names(keyOf(userId, ''));

// The draft of one place, `post`, `comment.POSTID` or `reply.COMMENTID`, of whoever is signed in now:
// it stays theirs when somebody else signs in.
//
//   read()                  an object with a text and what else was kept; null for none
//   keep(draft, by)         keeps one, or forgets it with null
//   onChange(run, by, signal)  calls run() when anybody but `by` has kept or forgotten it
export function draftAt(place) {
  const key = keyOf(session.me()?.userId ?? NOBODY, place);
  return {
    read: () => parsed(ofBrowser.get(key)),
    keep: (draft, by) => {
      store(key, draft);
      tell('draft', { key, by });
    },
    onChange: (run, by, signal) => on('draft', (change) => {
      if (change.key === key && change.by !== by) run();
    }, signal),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;  // not written by this page
  }
}

function store(key, draft) {
  if (draft === null) return ofBrowser.remove(key);
  const isKept = ofBrowser.set(key, JSON.stringify(draft));
  if (hasRoom && !isKept) message('This browser keeps no drafts now: this one is lost when you close the page.', { tone: 'alarm' });
  hasRoom = isKept;
}

// A draft is one in all tabs: what is written, published or thrown away in one of them is so in all.
addEventListener('storage', ({ key }) => {
  if (key?.startsWith(PREFIX)) tell('draft', { key, by: null });
});

// The drafts of an account that is gone go with it.
export function forgetDrafts(userId) {
  for (const key of keysOf(userId)) ofBrowser.remove(key);
}

// What somebody wrote before they signed in is theirs from then on, unless they have a draft there.
on('signed-in', () => {
  const user = session.me();
  if (!user) return;
  for (const key of keysOf(NOBODY)) {
    const own = keyOf(user.userId, key.slice(keyOf(NOBODY, '').length));
    if (ofBrowser.get(own) === null) ofBrowser.set(own, ofBrowser.get(key));
    ofBrowser.remove(key);
  }
});
