// All elements are made here. Text is inserted as text: no code turns a string into markup, so
// nothing a user writes can become markup.

const SVG = 'http://www.w3.org/2000/svg';

// Makes an element. A child is a node, a string, a number, a list of children, or nothing. An
// attribute that is true has no value; one that is false, null or undefined is left out.
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else {
      setAttribute(element, name, value);
    }
  }
  append(element, children);
  return element;
}

export function setAttribute(element, name, value) {
  if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

// Replaces the content of an element.
export function show(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

let lastId = 0;
export const freshId = (word) => `${word}-${++lastId}`;

// Whether a key pressed here is meant for a field and not for the page.
export function isTyping(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select') !== null);
}

export const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// Scrolls, without animation for users who asked for reduced motion.
export function scrollToTop() {
  scrollTo({ top: 0, behavior: prefersStillness() ? 'instant' : 'smooth' });
}

// Removes an item from its list. If it had the focus, the focus moves to the next item, or to the view's heading.
export function takeOut(item) {
  const next = item.nextElementSibling ?? item.previousElementSibling ?? document.querySelector('main h1');
  const hadFocus = item.contains(document.activeElement);
  item.remove();
  if (!hadFocus || !next) return;
  if (!next.matches('[tabindex]')) next.setAttribute('tabindex', '-1');
  next.focus({ preventScroll: true });
}

// Changes a list while its first visible item stays in place on the screen.
export function keepPlace(list, change) {
  const anchor = firstInSight(list);
  const before = anchor?.getBoundingClientRect().top;
  const result = change();
  const still = anchor?.isConnected ? anchor : null;
  if (still) {
    const moved = still.getBoundingClientRect().top - before;
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
  }
  return result;
}

function firstInSight(list) {
  const header = document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0;
  for (const item of list.children) {
    if (item.getBoundingClientRect().bottom > Math.max(header, 0)) return item;
  }
  return null;
}

// A button with an icon, words or both; `label` names one with only an icon.
export function button(content, onClick, { kind = 'plain', label, ...attributes } = {}) {
  return h('button', { type: 'button', class: `button ${kind}`, 'aria-label': label, title: label,
                       on: { click: onClick }, ...attributes }, content);
}
