// The stage's requests: its own operations, and calls of a second account, whose session is kept
// only in this page's memory and ends with it.

import { call, open, pause } from './api.js';
import { readEvents } from './sse.js';

const SILENCE_SECONDS = 40;  // heartbeats come every 15
const WAIT_MAX_SECONDS = 15;

export const getStage = (signal) => call('GET', '/v1/stage', { signal, impatient: true });
export const switchStage = (change) => call('PATCH', '/v1/stage', { body: change, repeat: true });

// Passes on each message of the stage until `signal` is aborted; reconnects by itself. `onState`
// gets whether it is connected.
export async function watchStage(onMessage, onState, signal) {
  for (let failures = 0; !signal.aborted; ++failures) {
    try {
      await readOnce(onMessage, () => { failures = 0; onState(true); }, signal);
    } catch (error) {
      if (signal.aborted || [401, 403, 404].includes(error.status)) return;
    }
    onState(false);
    await pause(Math.min(2 ** failures / 2, WAIT_MAX_SECONDS), signal).catch(() => {});
  }
}

async function readOnce(onMessage, alive, signal) {
  const silence = new AbortController();
  let timer;
  const onLife = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_SECONDS * 1000);
  };
  try {
    onLife();
    const response = await open('/v1/stage/stream', { headers: { Accept: 'text/event-stream' },
                                                      signal: AbortSignal.any([signal, silence.signal]) });
    alive();
    await readEvents(response.body, { onEvent: ({ event, data }) => onMessage(event, JSON.parse(data)), onId: () => {}, onLife });
  } finally {
    clearTimeout(timer);
  }
}

// A second account, signed in besides the page's own.
export class SecondAccount {
  #key;

  // Throws an Error with a message for the user if that is refused.
  static async signIn(username, password) {
    const account = new SecondAccount();
    const begun = await account.#ask('POST', '/v1/sessions', { username, password });
    account.#key = begun.token;
    account.user = begun.user;
    return account;
  }

  readFeed(limit, signal) {
    return this.#ask('GET', `/v1/feed?explain=true&limit=${limit}`, undefined, signal);
  }

  // Ends the session without waiting for the answer.
  leave() {
    this.#ask('DELETE', '/v1/sessions/current').catch(() => {});
  }

  async #ask(method, path, body, signal) {
    const headers = new Headers();
    if (this.#key) headers.set('Authorization', `Bearer ${this.#key}`);
    if (body) headers.set('Content-Type', 'application/json');
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal, keepalive: method === 'DELETE',
                                         credentials: 'omit', redirect: 'error' });
    if (response.status === 204) return null;
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? `The server answered with status ${response.status}.`);
    return answer;
  }
}
