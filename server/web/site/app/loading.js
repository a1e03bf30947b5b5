// What is read once into a place of the page: words while it comes, and where it does not come, why, and a way to try
// again.

import { h, button, show } from './dom.js';

// `load()` gives a promise; `draw(answer)` what to show, and nothing if it has shown it itself. `explain(error)` gives
// {title, words} of a failure. What the place shows already stays until there is something new.
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
