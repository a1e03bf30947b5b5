// The session of this browser: a token and its account, the same in all tabs.
//
// Each tab keeps the token, or the browser if the user asked to stay signed in. A new tab asks the
// others for it, and signing in or out in one tab applies to all. The token is sent only in one
// request header, never in an address.

import { tell } from './bus.js';
import { message } from './notice.js';
import { ofBrowser, ofTab } from './storage.js';

const TOKEN = 'chirp.token';
const ANSWER_MS = 150;  // other tabs answer at once, or do not exist
const tabs = openTabs();

let current = ofTab.get(TOKEN) ?? ofBrowser.get(TOKEN);
let account = null;

export const token = () => current;
export const me = () => account;
export const isMe = (userId) => account !== null && account.userId === userId;

let answered = null;  // takes another tab's answer, while one is expected

// Asks the other tabs for their session if this one has none, when the page starts. The page does
// not wait for a sleeping tab: its late answer signs in a page that is already shown.
export function share() {
  if (current !== null) return Promise.resolve();
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve();
    }, ANSWER_MS);
    answered = (data) => {
      clearTimeout(timer);
      keep(data.token, ofTab);
      if (!isLate) return resolve();
      account = data.user;
      return tell('signed-in', { elsewhere: true });
    };
    tabs.postMessage({ what: 'ask' });
  });
}

export function begin(session, stay) {
  forget();
  const isKept = keep(session.token, stay ? ofBrowser : ofTab);
  account = session.user;
  tabs.postMessage({ what: 'begun', token: current, user: account, stay: stay && isKept });
  tell('signed-in');
  if (!isKept) message('This browser stores nothing for this page. You are signed in until you close or reload it.');
}

// Sets the account of a stored token, or after it was edited.
export function setAccount(user) {
  account = user;
  tell('account', { user });
}

export function end(reason) {
  tabs.postMessage({ what: 'ended', token: current, reason });
  stop(reason);
}

tabs.addEventListener('message', ({ data }) => {
  if (data.what === 'ask' && account !== null) tabs.postMessage({ what: 'have', token: current, user: account });
  if (data.what === 'have' && current === null) answered?.(data);
  if (data.what === 'ended' && data.token === current && current !== null) {
    stop(data.reason === 'left' ? 'left-elsewhere' : data.reason);
  }
  if (data.what === 'begun' && data.token !== current) {
    forget();
    // With a token in the browser, a tab has no token of its own.
    if (data.stay) current = data.token;
    else keep(data.token, ofTab);
    account = data.user;
    tell('signed-in', { elsewhere: true });
  }
});

function stop(reason) {
  forget();
  account = null;
  tell('signed-out', { reason });
}

function keep(kept, shelf) {
  answered = null;
  current = kept;
  return shelf.set(TOKEN, kept);
}

// Keeps a session that another tab has started since then.
function forget() {
  for (const shelf of [ofTab, ofBrowser]) {
    if (shelf.get(TOKEN) === current) shelf.remove(TOKEN);
  }
  current = null;
}

// If the browser shares nothing between pages, each tab is on its own.
function openTabs() {
  try {
    return new BroadcastChannel('chirp.session');
  } catch {
    return { postMessage: () => {}, addEventListener: () => {} };
  }
}
