// The split screen of the stage: the signed-in user writes on the left, and a reader with the
// stage's own session reads on the right.

import { h, button, show } from './dom.js';
import { avatar } from './avatar.js';
import { composer } from './compose.js';
import { field, form } from './form.js';
import { exactCount, plural } from './format.js';
import { sourceChip } from './explanation.js';
import { SecondAccount } from './stagecalls.js';
import { getEngine } from './operations.js';
import { richText } from './text.js';
import { me } from './session.js';

const POSTS = 6;
const BETWEEN_MS = 400;  // between two automatic reads

// {element, refresh()}
export function authorHalf(signal) {
  const tier = h('p', { class: 'own-tier' });
  const element = h('section', { class: 'card half', 'aria-labelledby': 'author-half' },
                    h('h2', { id: 'author-half' }, 'On the left: ', h('span', {}, `@${me().username}`)),
                    tier, composer({ done: () => {}, signal }).element);
  async function refresh() {
    const { caller } = await getEngine(signal).catch(() => ({}));
    if (!caller) return;
    show(tier, h('strong', {}, caller.tier), ` with ${plural(caller.followerCount, 'follower')}: the next post is `,
         sourceChip(caller.delivery), '.');
  }
  refresh();
  return { element, refresh };
}

// {element, refresh()}
export function readerHalf(signal) {
  let reader = null;
  let timer = null;
  let again = false;
  const place = h('div', {});
  const element = h('section', { class: 'card half reader-half', 'aria-labelledby': 'reader-half' },
                    h('h2', { id: 'reader-half' }, 'On the right: a reader'), place);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    reader?.leave();
  });
  addEventListener('pagehide', () => reader?.leave(), { signal });

  function askWho() {
    show(place,
         h('p', { class: 'quiet' }, 'Sign in as another account, which reads. The session is not stored and ends with this page.'),
         form([field('Username', h('input', { name: 'username', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', required: true })),
               field('Password', h('input', { name: 'password', type: 'password', autocomplete: 'off', required: true }))],
              'Read as this account', async ({ username, password }) => {
                const begun = await SecondAccount.signIn(username.trim().replace(/^@/, ''), password);
                // The stage was left before the answer arrived.
                if (signal.aborted) return begun.leave();
                reader = begun;
                return read();
              }));
  }

  async function read() {
    try {
      draw(await reader.readFeed(POSTS, signal));
    } catch (error) {
      if (error.name === 'AbortError') return;
      show(place, h('p', { role: 'alert' }, error.message), h('div', { class: 'row' }, button('Read now', read, { kind: 'plain small' }),
           button('Sign in again', () => {
             reader.leave();
             reader = null;
             askWho();
           }, { kind: 'plain small' })));
    }
  }

  function draw({ posts, cost }) {
    show(place,
         h('div', { class: 'row' }, avatar(reader.user, 'small'), h('strong', {}, `@${reader.user.username}`), h('span', { class: 'spacer' }),
           button('Read now', read, { kind: 'plain small read-now' })),
         h('p', { class: 'cost reader-cost' }, h('strong', {}, `${exactCount(cost.micros)} µs`), ': ',
           cost.fromMemory ? 'from memory' : `${plural(cost.sources, 'source')} merged`, `, ${plural(cost.examined, 'entry', 'entries')} examined`),
         h('ol', { class: 'reader-posts' }, posts.map((post) =>
           h('li', {}, h('span', { class: 'row' }, h('strong', {}, `@${post.username}`), sourceChip(post.explanation.source)),
             h('span', { dir: 'auto' }, richText(post.content, post.entities))))),
         posts.length === 0 && h('p', { class: 'quiet' }, 'This feed is empty. Follow an account.'));
  }

  // Something has happened that the reader would see: read now, and once more after what follows
  // shortly.
  function refresh() {
    if (reader === null) return;
    if (timer !== null) {
      again = true;
      return;
    }
    timer = setTimeout(() => {
      timer = null;
      if (!again) return;
      again = false;
      refresh();
    }, BETWEEN_MS);
    read();
  }
  askWho();
  return { element, refresh };
}
