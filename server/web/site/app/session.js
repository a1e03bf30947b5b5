// Who this page speaks for: a token and the account it belongs to.
//
// The token is kept for this tab, or for this browser when its owner asked to stay signed in. It
// goes into one header of a request and nowhere else, an address least of all.

import { tell } from './bus.js';

const TOKEN = 'chirp.token';
let account = null;

export const token = () => sessionStorage.getItem(TOKEN) ?? localStorage.getItem(TOKEN);
export const me = () => account;
export const isMe = (userId) => account !== null && account.userId === userId;

export function begin(session, stay) {
  forget();
  (stay ? localStorage : sessionStorage).setItem(TOKEN, session.token);
  account = session.user;
  tell('signed-in');
}

// The account behind a token that was kept, or after it was edited.
export function setAccount(user) {
  account = user;
}

export function end(reason) {
  forget();
  account = null;
  tell('signed-out', { reason });
}

function forget() {
  sessionStorage.removeItem(TOKEN);
  localStorage.removeItem(TOKEN);
}
