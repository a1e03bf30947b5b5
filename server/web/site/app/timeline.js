// The home feed as a window on an endless list: pages are added below and above as the reader comes
// near, and pages far away are removed. What is being read stays in place.
//
// It pages down by `cursor` and up by `after`. Both are exact, so nothing is missed or repeated.

import { h, button, keepPlace, show, takeOut } from './dom.js';
import { numberArticles } from './endless.js';
import { cardOf, followPosts, postCard } from './post.js';
import { getFeed } from './operations.js';

const PAGE = 20;
const PAGES_MAX = 12;        // in the document at once
const FRESH_PAGES_MAX = 10;  // of 100 posts, read upwards before starting again from the top
const AHEAD = '900px';

export class Timeline {
  // `query()` returns the parameters besides the cursor; `onPage(page, asked)` gets each page read;
  // `empty()` makes the content of an empty feed.
  constructor({ query, onPage, empty, signal }) {
    Object.assign(this, { query, onPage, empty, signal });
    this.pages = [];  // {asked, prev, next, articles}, the newest first
    this.top = true;  // whether the first page is the newest
    this.ended = false;
    this.loading = null;           // aborts the current read
    this.turn = Promise.resolve();  // readings take turns
    this.list = h('div', { role: 'feed', class: 'items feed', 'aria-label': 'Your feed', 'aria-busy': 'true' });
    this.head = h('div', { class: 'list-head' });
    this.foot = h('div', { class: 'list-foot' });
    this.element = h('div', { class: 'endless' }, this.head, this.list, this.foot);
    this.watch();
    followPosts(this.list, signal);
  }

  // Starts again from the newest posts.
  async restart() {
    this.loading?.abort();
    await this.run(async (signal) => {
      const asked = { limit: PAGE };
      const page = await getFeed({ ...asked, ...this.query() }, signal);
      this.pages = [];
      this.list.replaceChildren();
      this.top = true;
      this.take(page, asked, 'below');
      this.ended = page.pagination.nextCursor === null;
    });
  }

  // Returns the cursor above which everything is new; null if unknown.
  newest() {
    return this.top ? this.pages[0]?.prev ?? null : null;
  }

  has(postId) {
    return this.list.querySelector(`article[data-post-id="${postId}"]`) !== null;
  }

  // Whether an item of the stream is shown, at the position of its newest entry.
  hasEntry(item) {
    const entry = item.repostedBy?.[0].postId ?? item.postId;
    const articles = this.list.querySelectorAll(`article[data-post-id="${item.postId}"]`);
    return [...articles].some((article) => cardOf(article).entries.has(entry));
  }

  // Removes the posts of an author.
  dropAuthor(userId) {
    keepPlace(this.list, () => {
      for (const article of [...this.list.children]) {
        if (cardOf(article).post.userId === userId) takeOut(article);
      }
    });
  }

  // Adds everything above the newest page. The reader's position does not change.
  async readFresh() {
    const from = this.newest();
    if (from === null || 'algorithm' in this.query()) return this.restart();
    return this.run(async (signal) => {
      const pages = [];
      for (let after = from; pages.length < FRESH_PAGES_MAX;) {
        const asked = { after, limit: 100 };
        const page = await getFeed({ ...asked, ...this.query() }, signal);
        pages.push([page, asked]);
        after = page.pagination.prevCursor;
        if (!page.pagination.hasMore) break;
      }
      if (pages.at(-1)[0].pagination.hasMore) {
        queueMicrotask(() => this.restart());
        return;
      }
      keepPlace(this.list, () => pages.forEach(([page, asked]) => this.take(page, asked, 'above')));
    });
  }

  async readDown() {
    const last = this.pages.at(-1);
    if (this.loading || this.ended || !last) return;
    await this.run(async (signal) => {
      // A page may contain only posts that a page above has already.
      for (let added = 0, cursor = last.next; added === 0 && cursor !== null;) {
        const asked = { cursor, limit: PAGE };
        const page = await this.readOrRestart(asked, signal);
        if (page === null) return;
        added = this.take(page, asked, 'below');
        cursor = page.pagination.nextCursor;
        this.ended = cursor === null;
      }
      this.trim('above');
    });
  }

  // Returns the page below; null if its cursor has expired, as in a ranked feed, and the feed
  // starts again.
  async readOrRestart(asked, signal) {
    try {
      return await getFeed({ ...asked, ...this.query() }, signal);
    } catch (error) {
      if (error.status !== 400) throw error;
      queueMicrotask(() => this.restart());
      return null;
    }
  }

  async readUp() {
    const first = this.pages[0];
    if (this.loading || this.top || !first) return;
    await this.run(async (signal) => {
      const asked = { after: first.prev, limit: PAGE };
      const page = await getFeed({ ...asked, ...this.query() }, signal);
      keepPlace(this.list, () => this.take(page, asked, 'above'));
      this.top = !page.pagination.hasMore;
      this.trim('below');
    });
  }

  // Explains the posts that are shown, by reading their pages again.
  async explain() {
    await this.run(async (signal) => {
      // Reads the newest page last, because its result should be the one that stays.
      for (const page of [...this.pages].reverse()) {
        const again = await getFeed({ ...page.asked, ...this.query() }, signal);
        spreadWeights(again);
        const found = new Map(again.posts.map((item) => [item.postId, item]));
        keepPlace(this.list, () => {
          for (const article of page.articles) {
            const item = found.get(article.dataset.postId);
            if (item) cardOf(article).explain(item.explanation, item.score);
          }
        });
        this.onPage(again, page.asked);
      }
    });
  }

  forgetExplanations() {
    keepPlace(this.list, () => {
      for (const article of this.list.children) cardOf(article)?.explain(undefined);
    });
  }

  // ---- private

  take(page, asked, side) {
    const { nextCursor, prevCursor } = page.pagination;
    spreadWeights(page);
    const fresh = page.posts.filter((item) => side === 'above' || !this.has(item.postId));
    const articles = fresh.map((item) => postCard(item));
    const last = this.pages.at(-1);
    const entry = { asked, prev: prevCursor, next: nextCursor, articles };
    if (side === 'below') {
      this.list.append(...articles);
      // An empty page has no cursor to go up from; its neighbour has.
      entry.prev ??= last?.prev ?? null;
      this.pages.push(entry);
    } else {
      this.list.prepend(...articles);
      if (articles.length > 0) this.pages.unshift(entry);
    }
    this.onPage(page, asked);
    return articles.length;
  }

  // Removes the pages that are farthest from the reading position.
  trim(side) {
    if (this.pages.length <= PAGES_MAX) return;
    keepPlace(this.list, () => {
      while (this.pages.length > PAGES_MAX) {
        const page = side === 'above' ? this.pages.shift() : this.pages.pop();
        for (const article of page.articles) article.remove();
        if (side === 'above') this.top = false;
        else this.ended = false;
      }
    });
  }

  run(work) {
    this.turn = this.turn.then(() => this.perform(work));
    return this.turn;
  }

  async perform(work) {
    const mine = new AbortController();
    this.loading = mine;
    this.busy(true);
    try {
      await work(AbortSignal.any([this.signal, mine.signal]));
      this.settle(null);
    } catch (error) {
      this.settle(error.name === 'AbortError' ? null : error);
    }
  }

  settle(error) {
    this.loading = null;
    numberArticles(this.list, this.ended && this.top);
    this.busy(false);
    if (error) {
      show(this.foot, h('p', { role: 'alert' }, error.message),
           button('Try again', () => (this.pages.length > 0 ? this.readDown() : this.restart()), { kind: 'plain' }));
      return;
    }
    // The observer does not report an end that remains visible.
    for (const end of [this.head, this.foot]) {
      this.near.unobserve(end);
      this.near.observe(end);
    }
  }

  busy(is) {
    this.list.setAttribute('aria-busy', String(is));
    if (is) {
      if (this.pages.length === 0) show(this.foot, h('p', { class: 'quiet loading' }, 'Loading…'));
    } else if (!this.ended) {
      show(this.foot);
    } else if (this.list.children.length === 0) {
      show(this.foot, this.empty());
    } else {
      show(this.foot, h('p', { class: 'quiet the-end' }, 'You have reached the first post.'));
    }
  }

  watch() {
    this.near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        if (entry.target === this.foot) this.readDown();
        else this.readUp();
      }
    }, { rootMargin: `${AHEAD} 0px ${AHEAD} 0px` });
    this.signal.addEventListener('abort', () => this.near.disconnect());
  }
}

// Shows the weights of scores once per page; each post explains itself.
function spreadWeights({ posts, weights }) {
  if (!weights) return;
  for (const { explanation } of posts) {
    if (explanation) explanation.weights = weights;
  }
}
