// Loads content once into a part of the page. Shows a message while it loads. If it fails, shows the reason and a
// button to try again.

import { h, button, show } from './dom.js';

// `load()` returns a promise. `draw(answer)` returns what to show, or nothing if it has shown it itself.
// `explain(error)` returns {title, words} for a failure. The old content stays until there is new content.
export function loadInto(place, load, draw, explain = ({ message }) => ({ words: message })) {
  if (place.childElementCount === 0) show(place, h('p', { class: 'quiet loading' }, 'Loading…'));
  place.setAttribute('aria-busy', 'true');
  const again = () => {
    place.replaceChildren();
    return loadInto(place, load, draw, explain);
  };
  return load().then((answer) => {
    place.setAttribute('aria-busy', 'false');
    const content = draw(answer);
    if (content !== undefined) show(place, content);
  }, (error) => {
    if (error.name === 'AbortError') return;
    place.setAttribute('aria-busy', 'false');
    if (place.querySelector(':scope > :not(.loading)')) return;
    const { title, words } = explain(error);
    show(place, h('div', { class: 'empty', role: 'alert' }, title, h('p', {}, words), button('Try again', again)));
  });
}
