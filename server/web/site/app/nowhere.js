// The view for an unknown address, such as one that a mail program has cut off.

import { h } from './dom.js';
import * as router from './router.js';

export function nowhereView() {
  return {
    title: 'Nothing here',
    element: h('div', { class: 'empty' },
               h('h1', {}, 'There is nothing at this address.'),
               h('p', {}, 'It ends in ', h('code', {}, h('bdi', {}, `#${router.path()}`)), '. Perhaps a part of it was lost on the way.'),
               h('p', {}, h('a', { href: '#/' }, 'Home'), ', ', h('a', { href: '#/people' }, 'people'), ' and ',
                 h('a', { href: '#/trends' }, 'trends'), ' are here.')),
  };
}
