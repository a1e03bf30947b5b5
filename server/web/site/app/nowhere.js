// The view for an unknown address, such as one that a mail program has cut off.

import { h } from './dom.js';
import * as router from './router.js';

export function nowhereView() {
  return {
    title: 'Not found',
    element: h('div', { class: 'empty' },
               h('h1', {}, 'There is no page at this address.'),
               h('p', {}, 'It ends in ', h('code', {}, h('bdi', {}, `#${router.path()}`)), '. It may be incomplete.'),
               h('p', {}, h('a', { href: '#/' }, 'Home'), ', ', h('a', { href: '#/people' }, 'people'), ' and ',
                 h('a', { href: '#/trends' }, 'trends'), ' are here.')),
  };
}
