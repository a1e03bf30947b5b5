// Requests to the server: the token, JSON in both directions, problems as exceptions, and retries.
//
// A request that the server defers (429, 503) is sent again after Retry-After, and the page says so. One that reached
// no server is sent again if repeating it is harmless; the page says that it is trying.

import { learnTime } from './clock.js';
import * as session from './session.js';
import { offline, online, putOff } from './notice.js';

const PATIENCE_SECONDS = 60;  // the longest Retry-After to wait for
const TRIES_MAX = 6;

// A refusal by the server. `code`, `detail` and `errors` are those of its problem document.
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = body.code ?? 'internal';
    this.errors = body.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

// No answer arrived, so the request may or may not have been carried out.
export class Unreachable extends Error {
  constructor() {
    super('Can’t reach the server.');
  }
}

// Sends a request and returns its answer: an object, a text, or null for no content.
//   query      parameters; those without a value are left out
//   body       an object, sent as JSON, or a Blob, sent unchanged
//   repeat     whether sending it twice is the same as sending it once; true for GET
//   signal     cancels the request
//   anonymous  without the token
//   impatient  does not wait if the server defers it
export async function call(method, path, options = {}) {
  const { repeat = method === 'GET', signal } = options;
  // The user who asks now: after a change of users, the request is not sent again.
  const token = options.anonymous ? null : session.token();
  for (let attempt = 1;; ++attempt) {
    let response;
    try {
      response = await send(method, path, { ...options, token });
    } catch (error) {
      if (signal?.aborted || error.name === 'AbortError') throw error;
      offline();
      if (!repeat || (method !== 'GET' && attempt >= TRIES_MAX)) throw new Unreachable();
      await pause(Math.min(2 ** (attempt - 1), 15) * (0.75 + Math.random() / 2), signal);
      continue;
    }
    online();
    if (response.ok) return read(response);
    const problem = await problemOf(response, { ...options, token });
    if (!isPutOff(problem, options) || attempt >= TRIES_MAX) throw problem;
    putOff(problem.retryAfter);
    await pause(problem.retryAfter, signal);
  }
}

// Like request(), but returns a response whose body is yet to be read; for the stream.
export async function open(path, { headers, signal }) {
  const token = session.token();
  const response = await send('GET', path, { headers, signal, token });
  online();
  if (!response.ok) throw await problemOf(response, { token });
  return response;
}

async function send(method, path, { query, body, headers, signal, token }) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  const sent = new Headers(headers);
  if (token) sent.set('Authorization', `Bearer ${token}`);
  let content;
  if (body instanceof Blob) {
    content = body;
    sent.set('Content-Type', body.type);
  } else if (body !== undefined) {
    content = JSON.stringify(body);
    sent.set('Content-Type', 'application/json');
  }
  const response = await fetch(url, { method, headers: sent, body: content, signal, credentials: 'omit', redirect: 'error' });
  learnTime(response.headers.get('Date'));
  return response;
}

async function read(response) {
  if (response.status === 204) return null;
  const type = response.headers.get('Content-Type') ?? '';
  return type.includes('json') ? response.json() : response.text();
}

async function problemOf(response, { anonymous, token }) {
  const body = await response.json().catch(() => ({}));
  // The server's messages for programs do not help users.
  if (response.status === 401 && !anonymous) body.detail = token ? 'Your session has ended.' : 'Sign in to do that.';
  const seconds = Number(response.headers.get('Retry-After'));
  const problem = new Problem(response.status, body, Number.isFinite(seconds) && seconds > 0 ? seconds : 1);
  // Unless a user has signed in again meanwhile.
  if (problem.status === 401 && token && token === session.token()) session.end('expired');
  return problem;
}

function isPutOff(problem, { impatient }) {
  const later = problem.status === 429 || problem.status === 503;
  return later && !impatient && problem.retryAfter <= PATIENCE_SECONDS;
}

// Resolves after some seconds, or earlier when the browser is online again.
export function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    addEventListener('online', done);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      reject(new DOMException('No longer wanted', 'AbortError'));
    }, { once: true });
  });
}
