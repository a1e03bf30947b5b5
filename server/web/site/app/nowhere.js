// What stands where an address leads nowhere, as one that was cut off in a mail does.

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
