// A guided tour of the stage in seven steps. Each ends with a question, whose answer is visible on
// the stage: the tour highlights it, and says it on request.

import { h, button, show } from './dom.js';

// `see` returns the element with the answer.
export const STEPS = [
  { title: 'A post is one entry in a log',
    text: 'Write something on the left. It is answered once it is on the disk, and from that moment on it is in every feed that it belongs to.',
    question: 'How many entries has the log got from it?', see: '[data-place="Log"]',
    answer: 'One, however many people follow the author: the number in “Log” goes up by one.' },
  { title: 'Fan-out puts it into timelines',
    text: 'A moment later fan-out takes the post out of the log and puts it into the timelines of followers, all of them in one turn.',
    question: 'Into how many timelines did it go, and why is that one more than the author has followers?', see: '[data-place="Timelines"]',
    answer: 'Authors see what they write: the author’s own timeline has it too. A follower who has no timeline is not counted.' },
  { title: 'A reader merges',
    text: 'Sign in on the right as somebody who follows the author. A reader without a timeline merges the logs of all they follow, and is built one. Then write once more on the left, and read again: a page is merged from the timeline and from what is in none.',
    question: 'How many sources did the page take then, and what does the chip of the new post say?', see: '.reader-half',
    answer: 'One, the timeline, and one more for each celebrity the reader follows; “pushed”. What was written before there was a timeline says “backfilled”. Read again: the server may have it in memory then, and take none.' },
  { title: 'What is pending is missed by nobody',
    text: 'Write again, and look at the right while the squares under “Fan-out” are filled: the reader reads before the post is delivered.',
    question: 'Where did the reader find a post that is in no timeline yet?', see: '.way-log-merge',
    answer: 'In the log: the packet on the lower way says “pending”. Reads merge what fan-out has yet to take in.' },
  { title: 'A celebrity is not pushed',
    text: 'Lower the two bounds of tiers until the author has more followers than “celebrity above”, under the policy hybrid. Within a second she is a celebrity. Write as her.',
    question: 'How many timelines did that post go into?', see: '[data-place="Timelines"]',
    answer: 'None: the packet ends at “Fan-out” with “not pushed”, and the number in “Timelines” stays.' },
  { title: 'Then every read pays',
    text: 'Read on the right. The celebrity’s log is one more source of each page that her followers read.',
    question: 'How many sources does the page have now, and how did the post come?', see: '.reader-half',
    answer: 'The timeline, and a log for each celebrity the reader follows, hers among them: the lower the bounds, the more. The chip of her new post says “pulled”. The write was cheap, and each read costs more.' },
  { title: 'The policy changes what it costs, and never what it says',
    text: 'Switch to pull, then to push, and read each time. Beside the stage stands what chirp lab has measured, if you open its file.',
    question: 'Which posts does the reader see under each policy, and which policy is cheapest for this world?', see: '.switches',
    answer: 'The same posts each time. Which is cheapest depends on how often people read for each post: the lab’s table marks it.' },
];

export function tourPanel() {
  let at = 0;
  const place = h('div', { class: 'tour-step' });
  const element = h('section', { class: 'card tour', 'aria-labelledby': 'tour-title' },
                    h('h2', { id: 'tour-title' }, 'A tour in seven steps'), place);

  function point(on) {
    for (const pointed of document.querySelectorAll('.pointed')) pointed.classList.remove('pointed');
    if (on) document.querySelector(STEPS[at].see)?.classList.add('pointed');
  }

  function draw() {
    const { title, text, question, answer } = STEPS[at];
    const words = h('p', { class: 'tour-answer', role: 'status' });
    point(false);
    show(place,
         h('h3', {}, `${at + 1}. ${title}`), h('p', {}, text), h('p', { class: 'tour-question' }, h('strong', {}, question)), words,
         h('div', { class: 'row' },
           button('Back', () => go(at - 1), { kind: 'plain small', disabled: at === 0 }),
           button('Where to look', () => { point(true); show(words, answer); }, { kind: 'plain small where' }),
           h('span', { class: 'spacer' }),
           button('Next', () => go(at + 1), { kind: 'primary small next', disabled: at === STEPS.length - 1 })));
  }

  function go(to) {
    at = to;
    draw();
    place.querySelector('h3').setAttribute('tabindex', '-1');
    place.querySelector('h3').focus();
  }
  draw();
  return element;
}
