// Live events for the open page. One stream for the whole page, read with fetch so that the token
// stays in its header; it reconnects with the id of the last event received.
//
// A hidden page closes its connection after a while, because a browser opens only a few per server.
// It continues when the page is visible again.

import * as session from './session.js';
import { open, pause } from './api.js';
import { on, tell } from './bus.js';
import { offline } from './notice.js';
import { readEvents } from './sse.js';

const SILENCE_SECONDS = 40;  // heartbeats come every 15
const HIDDEN_SECONDS = 60;
const WAIT_MAX_SECONDS = 30;
const NAMES = new Set(['post', 'post_removed', 'notification', 'counts']);

let lastId = null;
let running = null;  // aborts the open stream

// Called once, when the page starts.
export function keepStream() {
  on('signed-in', start);
  on('signed-out', () => {
    stop();
    lastId = null;
  });
  let timer;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(stop, HIDDEN_SECONDS * 1000);
    else if (session.token() && running === null) start();
  });
  addEventListener('pagehide', stop);
}

function stop() {
  running?.abort();
  running = null;
}

function start() {
  stop();
  const life = new AbortController();
  running = life;
  run(life.signal).catch((error) => {
    if (error.name !== 'AbortError') throw error;
  });
}

async function run(signal) {
  for (let failures = 0; !signal.aborted;) {
    let wait = 0;
    try {
      await readOnce(signal, () => { failures = 0; });
    } catch (error) {
      if (signal.aborted || error.status === 401) return;
      if (error.status === 409) {
        lastId = null;
        tell('live-gap');
        continue;
      }
      if (error instanceof TypeError) offline();  // fetch found no server
      wait = error.retryAfter ?? 0;
    }
    tell('live-lost');
    wait = Math.max(wait, Math.min(2 ** failures / 2, WAIT_MAX_SECONDS) * (0.5 + Math.random() / 2));
    ++failures;
    await pause(wait, signal);
  }
}

async function readOnce(signal, alive) {
  const silence = new AbortController();
  let timer;
  const onLife = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_SECONDS * 1000);
  };
  try {
    const headers = { Accept: 'text/event-stream', ...(lastId === null ? {} : { 'Last-Event-ID': lastId }) };
    onLife();
    const response = await open('/v1/stream', { headers, signal: AbortSignal.any([signal, silence.signal]) });
    alive();
    tell('live-open', { fresh: lastId === null });
    await readEvents(response.body, { onEvent, onId: (id) => { lastId = id; }, onLife });
  } finally {
    clearTimeout(timer);
  }
}

function onEvent({ event, data }) {
  if (NAMES.has(event)) tell(event, JSON.parse(data));
}
