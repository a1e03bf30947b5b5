// Writing a post with pictures and privacy, or a comment. The counter counts like the server:
// characters after normalisation.

import { h, svg, append, button, freshId, show } from './dom.js';
import { icon } from './icons.js';
import { lengthOf } from './format.js';
import { avatar } from './avatar.js';
import { openDialog } from './dialog.js';
import { announce, complain, message } from './notice.js';
import { TYPES, uploads } from './uploads.js';
import { requireAccount } from './account.js';
import { on, tell } from './bus.js';
import { draftAt } from './drafts.js';
import * as operations from './operations.js';
import * as router from './router.js';
import * as session from './session.js';

const TEXT_MAX = 280;
const NEAR_END = 20;
const RING = 2 * Math.PI * 9;

// A text field that grows, and a counter of the remaining characters.
function textWithCounter(label, placeholder, changed) {
  const left = h('span', { class: 'left', 'aria-hidden': 'true' });
  const arc = svg('circle', { cx: '12', cy: '12', r: '9', class: 'arc', 'stroke-dasharray': `0 ${RING}` });
  const ring = svg('svg', { viewBox: '0 0 24 24', class: 'ring', 'aria-hidden': 'true' },
                   svg('circle', { cx: '12', cy: '12', r: '9', class: 'track' }), arc);
  const hintId = freshId('room');
  const room = h('span', { class: 'unseen', id: hintId });
  const field = h('textarea', { 'aria-label': label, placeholder, rows: '2', dir: 'auto', 'aria-describedby': hintId,
                                on: { input: update } });
  const counter = h('span', { class: 'counter' }, left, ring, room);
  let used = 0;
  let said = TEXT_MAX;

  function update() {
    used = lengthOf(field.value);
    const rest = TEXT_MAX - used;
    counter.className = `counter${rest < 0 ? ' over' : rest <= NEAR_END ? ' near' : ''}`;
    arc.setAttribute('stroke-dasharray', `${Math.min(used / TEXT_MAX, 1) * RING} ${RING}`);
    show(left, rest <= NEAR_END ? rest : '');
    show(room, `${rest} characters left`);
    const step = rest < 0 ? -1 : rest <= NEAR_END ? 0 : 1;
    if (step !== said && step < 1) announce(rest < 0 ? 'The text is too long.' : `${rest} characters left.`);
    said = step;
    changed();
  }
  return {
    field, counter, update,
    text: () => field.value,
    fits: () => used <= TEXT_MAX,
    isBlank: () => field.value.trim() === '',
    set: (text) => { field.value = text; update(); },
  };
}

// Returns the idempotency key of one post or comment, the same for every retry.
function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Shows the draft, and saves changes. `state()` returns what to save, null for nothing;
// `fill(draft)` shows a draft, or none. Returns {keep(), clear(), discard}; discard is a button.
function keeping({ place, state, fill, by, signal }) {
  const draft = draftAt(place);
  let filling = false;
  const discard = button([icon('trash'), h('span', { class: 'words' }, 'Discard')], () => {
    const before = state();
    clear();
    message('Your draft is discarded.', { action: { label: 'Undo', run: () => { show(before); keep(); } } });
  }, { kind: 'plain small discard' });

  function show(kept) {
    filling = true;
    fill(kept);
    filling = false;
    discard.hidden = state() === null;
  }
  function keep() {
    const now = state();
    discard.hidden = now === null;
    if (!filling) draft.keep(now, by);
  }
  function clear() {
    show(null);
    keep();
  }
  draft.onChange(() => show(draft.read()), by, signal);
  return { keep, clear, discard, start: () => show(draft.read()) };
}

// A composer for posts; `done(post)` gets the published post.
export function composer({ done, signal }) {
  let key = freshKey();
  let sending = false;
  let kept = null;
  const attached = uploads(() => refresh());
  const writing = textWithCounter('What is happening?', 'What is happening?', () => refresh());
  const privacy = h('select', { 'aria-label': 'Audience', class: 'privacy-choice', on: { change: () => refresh() } },
                    h('option', { value: 'public' }, 'Everyone'),
                    h('option', { value: 'followers' }, 'My followers'),
                    h('option', { value: 'private' }, 'Only me'));
  const files = h('input', { type: 'file', accept: TYPES.join(','), multiple: true, class: 'unseen', tabindex: '-1',
                             'aria-hidden': 'true', on: { change: () => { attached.add(files.files); files.value = ''; } } });
  const submit = h('button', { type: 'submit', class: 'button primary' }, 'Post');
  const element = h('form', { class: 'composer', 'aria-label': 'Write a post',
                              on: { submit: send, keydown: sendOnKey, dragover: allowDrop, drop, paste } });
  kept = keeping({ place: 'post', by: element, signal, state, fill });
  append(element, [session.me() && avatar(session.me()),
                   h('div', { class: 'composer-main' },
                     writing.field, attached.element,
                     h('div', { class: 'composer-foot' },
                       files, button(icon('image'), () => files.click(), { kind: 'quiet', label: 'Attach pictures or a video' }),
                       privacy, h('span', { class: 'spacer' }), kept.discard, writing.counter, submit))]);

  // Saves the key too, so that a post without an answer is not published twice after a reload.
  function state() {
    if (writing.isBlank() && attached.isEmpty()) return null;
    return { text: writing.text(), privacy: privacy.value, media: attached.kept(), key };
  }

  function fill(draft) {
    key = draft?.key ?? freshKey();
    privacy.value = draft?.privacy ?? 'public';
    if (draft) attached.restore(draft.media ?? []);
    else attached.clear();
    writing.set(draft?.text ?? '');
  }

  function refresh() {
    const empty = writing.isBlank() && attached.isEmpty();
    writing.field.readOnly = sending;  // text typed now would be lost with the published draft
    submit.disabled = sending || empty || !writing.fits() || attached.isBusy();
    kept?.keep();
  }

  async function send(event) {
    event.preventDefault();
    if (submit.disabled || !requireAccount()) return;
    sending = true;
    refresh();
    const mediaIds = attached.ids();
    const altTexts = attached.altTexts();
    const started = performance.now();
    try {
      const post = await operations.createPost({ content: writing.text(), privacy: privacy.value,
                                                 ...(mediaIds.length > 0 && { mediaIds }),
                                                 ...(altTexts.some((text) => text !== '') && { altTexts }) }, key);
      const seconds = (performance.now() - started) / 1000;
      kept.clear();
      tell('posted', { post, seconds });
      done(post);
    } catch (error) {
      if (error.status === 409) {  // the key was used with other values before
        key = freshKey();
        error.message = 'You have published an earlier version of this draft. Press Post again to publish this version, too.';
      }
      complain(error);
    } finally {
      sending = false;
      refresh();
    }
  }

  function allowDrop(event) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  }
  function drop(event) {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    attached.add(event.dataTransfer.files);
  }
  function paste(event) {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attached.add(event.clipboardData.files);
  }

  kept.start();
  return { element, field: writing.field, isEmpty: () => state() === null };
}

// The composer in a dialog, from anywhere. Closing it discards nothing.
export function openComposer() {
  if (!requireAccount()) return;
  const life = new AbortController();
  let published = false;
  const { element, field, isEmpty } = composer({
    signal: life.signal,
    done: (post) => {
      published = true;
      dialog.close();
      message('Your post is published.', { action: { label: 'View', run: () => router.go(`/post/${post.postId}`) } });
    },
  });
  const dialog = openDialog('New post', element, {
    kind: 'compose',
    onClose: () => {
      life.abort();
      if (!published && !isEmpty()) message('Your draft is saved.', { action: { label: 'Continue', run: openComposer } });
    },
  });
  on('signed-out', () => {
    interrupted = true;
    dialog.close();
  }, life.signal);
  field.focus();
}

// A user who signs in again finds the draft where it was.
let interrupted = false;
on('signed-in', () => {
  if (interrupted && draftAt('post').read()) openComposer();
  interrupted = false;
});

// Builds a small composer for a comment. Its draft is kept for `place`; `send(text, key)` publishes it.
export function commentComposer({ label, verb, send, cancel, place, signal }) {
  let sending = false;
  let kept = null;
  let key = freshKey();
  const writing = textWithCounter(label, label, () => refresh());
  const submit = h('button', { type: 'submit', class: 'button primary small' }, verb);
  const element = h('form', { class: 'comment-composer', 'aria-label': label, on: { submit: run, keydown: sendOnKey } });
  kept = keeping({
    place, by: element, signal,
    state: () => (writing.isBlank() ? null : { text: writing.text(), key }),
    fill: (draft) => {
      key = draft?.key ?? freshKey();
      writing.set(draft?.text ?? '');
    },
  });
  append(element, [writing.field,
                   h('div', { class: 'composer-foot' }, h('span', { class: 'spacer' }), kept.discard, writing.counter,
                     cancel && button('Cancel', cancel, { kind: 'plain small' }), submit)]);

  function refresh() {
    writing.field.readOnly = sending;
    submit.disabled = sending || writing.isBlank() || !writing.fits();
    kept?.keep();
  }

  async function run(event) {
    event.preventDefault();
    if (submit.disabled || !requireAccount()) return;
    sending = true;
    refresh();
    try {
      await send(writing.text(), key);
      kept.clear();
      key = freshKey();
    } catch (error) {
      if (error.status === 409) {  // the key was used with other values before
        key = freshKey();
        error.message = `You have published an earlier version of this text. Press ${verb} again to publish this version, too.`;
      }
      complain(error);
    } finally {
      sending = false;
      refresh();
    }
  }
  kept.start();
  return { element, field: writing.field };
}

function sendOnKey(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}
