// The pictures and videos of a post that is being written: each is uploaded as soon as it is
// chosen, and can be removed again.

import { h, button, show } from './dom.js';
import { icon } from './icons.js';
import { bytes } from './format.js';
import { message } from './notice.js';
import { uploadMedia } from './operations.js';

export const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'video/mp4'];
const FILES_MAX = 4;
const BYTES_MAX = 8 * 1024 * 1024;
const ALT_MAX = 1500;

// Returns {element, add(files), ids(), altTexts(), kept(), restore(kept), isBusy(), isEmpty(), clear()}; `changed`
// is called after each change.
export function uploads(changed) {
  const element = h('div', { class: 'uploads', role: 'list', 'aria-label': 'Attached', hidden: true });
  let entries = [];

  function add(files) {
    for (const file of files) {
      const problem = refusal(file);
      if (problem) message(problem, { tone: 'alarm' });
      else start(file);
    }
    refresh();
  }

  function refusal(file) {
    if (entries.length >= FILES_MAX) return `A post holds at most ${FILES_MAX} pictures and videos.`;
    if (!TYPES.includes(file.type)) return `${file.name} is not a PNG, JPEG, GIF, WebP or MP4 file.`;
    if (file.size > BYTES_MAX) return `${file.name} has ${bytes(file.size)}. The maximum is ${bytes(BYTES_MAX)}.`;
    return null;
  }

  function start(file) {
    const entry = enter({ name: file.name, type: file.type, address: URL.createObjectURL(file) });
    send(entry, file);
  }

  // An item in the list of attachments; its picture is at `address`.
  function enter({ name, type, address }) {
    const state = h('span', { class: 'upload-state' });
    const preview = type.startsWith('video/')
      ? h('video', { src: address, muted: true, preload: 'metadata' })
      : h('img', { src: address, alt: name });
    const shows = h('input', { type: 'text', class: 'upload-alt', maxlength: ALT_MAX, placeholder: 'Description',
                               'aria-label': `Description of ${name}, for people who can't see it`, dir: 'auto',
                               on: { input: () => changed(),
                                     keydown: (event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.preventDefault() } });
    const entry = { id: null, failed: false, life: new AbortController(), name, type, address, shows, state, preview };
    entry.element = h('div', { class: 'upload', role: 'listitem' }, preview, state, shows,
                      button(icon('close'), () => drop(entry), { kind: 'small remove', label: `Remove ${name}` }));
    entries.push(entry);
    element.append(entry.element);
    return entry;
  }

  // Attaches what kept() has returned, and drops everything else except running uploads. The server
  // removes uploads that are not posted in time.
  function restore(kept) {
    const wanted = new Set(kept.map(({ mediaId }) => mediaId));
    for (const entry of entries.filter(({ id }) => id !== null && !wanted.has(id))) drop(entry);
    for (const { mediaId, name, type, alt } of kept) {
      let entry = entries.find(({ id }) => id === mediaId);
      if (!entry) {
        entry = enter({ name, type, address: `/media/${mediaId}` });
        entry.id = mediaId;
        entry.preview.addEventListener('error', () => drop(entry), { once: true });
      }
      entry.shows.value = alt;
    }
    refresh();
  }

  async function send(entry, file) {
    const { state } = entry;
    entry.failed = false;
    show(state, 'Uploading…');
    refresh();
    try {
      const media = await uploadMedia(file, entry.life.signal);
      entry.id = media.mediaId;
      show(state);
    } catch (error) {
      if (error.name === 'AbortError') return;
      entry.failed = true;
      show(state, h('span', { role: 'alert' }, error.message),
           button('Try again', () => send(entry, file), { kind: 'small' }));
    }
    refresh();
  }

  function drop(entry) {
    entry.life.abort();
    URL.revokeObjectURL(entry.address);
    entry.element.remove();
    entries = entries.filter((other) => other !== entry);
    refresh();
  }

  const clear = () => [...entries].forEach(drop);

  function refresh() {
    element.hidden = entries.length === 0;
    changed();
  }

  return {
    element, add,
    ids: () => entries.map((entry) => entry.id).filter((id) => id !== null),
    altTexts: () => entries.filter((entry) => entry.id !== null).map((entry) => entry.shows.value.trim()),
    kept: () => entries.filter((entry) => entry.id !== null)
      .map(({ id, name, type, shows }) => ({ mediaId: id, name, type, alt: shows.value })),
    restore, clear,
    isBusy: () => entries.some((entry) => entry.id === null),
    isEmpty: () => entries.length === 0,
  };
}
