// The delivery of the post that this page published last: durable at once, then delivered in the
// background. The duration is the server's, independent of how often the page asks.

import { h, show } from './dom.js';
import { pause } from './api.js';
import { duration, plural } from './format.js';
import { getDelivery } from './operations.js';
import { tell } from './bus.js';

const FIRST_WAIT_SECONDS = 0.05;
const WAIT_MAX_SECONDS = 2;
const PATIENCE_SECONDS = 60;

// For example after a load, or when everything was pulled until recently.
export const NO_TIMELINES = ' No timeline is valid now: each is built after its owner reads.';

const isOver = ({ state }) => state === 'delivered' || state === 'pulled';

export function postTrace() {
  const element = h('div', { class: 'trace', hidden: true });
  let latest = null;

  // Follows a post until its delivery is complete. `seconds`: how long its request took.
  async function follow(post, seconds, signal) {
    latest = post.postId;
    let wait = FIRST_WAIT_SECONDS;
    const started = performance.now();
    try {
      for (;;) {
        const delivery = await getDelivery(post.postId, signal);
        if (latest !== post.postId) return;
        draw(delivery, seconds);
        if (isOver(delivery)) return tell('delivered', { postId: post.postId });
        if (performance.now() - started > PATIENCE_SECONDS * 1000) return;
        await pause(wait, signal);
        wait = Math.min(wait * 1.6, WAIT_MAX_SECONDS);
      }
    } catch (error) {
      if (error.name !== 'AbortError' && latest === post.postId) {
        show(element, h('h4', {}, 'Your last post'), h('p', { class: 'quiet' }, error.message));
      }
    }
  }

  function draw(delivery, seconds) {
    element.hidden = false;
    element.dataset.state = delivery.state;
    show(element,
         h('h4', {}, 'Your last post'),
         h('p', {}, 'Durable and in every feed after ', h('strong', {}, duration(seconds)), '.'),
         h('p', { class: 'quiet' }, deliveryWords(delivery)));
  }
  return { element, follow };
}

// Returns a sentence for the server's PostDelivery.
export function deliveryWords({ state, timelines, tookMs, workMicros }) {
  const known = tookMs !== undefined;
  const into = known && `${plural(timelines, 'timeline')}, ${duration(tookMs / 1000)} after it was written`;
  const work = known && workMicros > 0 ? ` (${duration(workMicros / 1e6)} of processing)` : '';
  if (state === 'pulled' && timelines > 0) return `In ${into}. It is not pushed any further: other readers fetch it.`;
  if (state === 'pulled') return 'Not pushed: readers fetch it from your posts.';
  if (state === 'delivered') return known ? `Delivered to ${into}${work}.${timelines === 0 ? NO_TIMELINES : ''}` : 'Delivered.';
  return state === 'delivering' ? `Delivering: so far to ${into}…` : 'Not delivered yet…';
}
