// Who this browser speaks for: a token and the account it belongs to, the same in all of its tabs.
//
// The token is kept in each tab, or in the browser when its owner asked to stay signed in. A tab that
// is opened asks the others for it, and signing in or out in one of them is so in all. It goes into
// one header of a request and nowhere else, an address least of all.

import { tell } from './bus.js';
import { message } from './notice.js';
import { ofBrowser, ofTab } from './storage.js';

const TOKEN = 'chirp.token';
const ANSWER_MS = 150;  // other tabs answer at once, or are not there
const tabs = openTabs();

let current = ofTab.get(TOKEN) ?? ofBrowser.get(TOKEN);
let account = null;

export const token = () => current;
export const me = () => account;
export const isMe = (userId) => account !== null && account.userId === userId;

let answered = null;  // takes what another tab says it has, from the question to the answer

// Asks the other tabs for their session if this one has none, when the page starts. The page does not
// wait for a tab that sleeps: its answer signs in a page that shows itself already.
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
  if (!isKept) message('This browser keeps nothing for this page: you are signed in until you close or reload it.');
}

// The account behind a token that was kept, or after it was edited.
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
    // A tab that shares the browser's token has none of its own.
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

// A session that another tab has begun since then stays.
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
