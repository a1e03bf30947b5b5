// Unpublished texts, kept for each account in this browser. They survive a reload, a followed link
// and an expired session. A draft is deleted when it is published or discarded.

import { on, tell } from './bus.js';
import { message } from './notice.js';
import { ofBrowser } from './storage.js';
import * as session from './session.js';

const PREFIX = 'chirp.draft.';
const NOBODY = 'nobody';  // before the sign-in
let hasRoom = true;

const keyOf = (userId, place) => `${PREFIX}${userId}.${place}`;
const keysOf = (userId) => ofBrowser.names(keyOf(userId, ''));

// The draft of one place, `post`, `comment.POSTID` or `reply.COMMENTID`, of the current user: it
// stays theirs when another user signs in.
//
//   read()                  an object with a text and more; null without a draft
//   keep(draft, by)         stores a draft, or deletes it with null
//   onChange(run, by, signal)  calls run() when a sender other than `by` has changed it
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
  if (hasRoom && !isKept) message('This browser can’t save drafts. This one is lost when you close the page.', { tone: 'alarm' });
  hasRoom = isKept;
}

// All tabs share a draft: writing, publishing or discarding it in one changes it in all.
addEventListener('storage', ({ key }) => {
  if (key?.startsWith(PREFIX)) tell('draft', { key, by: null });
});

// Deletes the drafts of a removed account.
export function forgetDrafts(userId) {
  for (const key of keysOf(userId)) ofBrowser.remove(key);
}

// Gives the drafts from before the sign-in to the user, except where the user already has one.
on('signed-in', () => {
  const user = session.me();
  if (!user) return;
  for (const key of keysOf(NOBODY)) {
    const own = keyOf(user.userId, key.slice(keyOf(NOBODY, '').length));
    if (ofBrowser.get(own) === null) ofBrowser.set(own, ofBrowser.get(key));
    ofBrowser.remove(key);
  }
});
