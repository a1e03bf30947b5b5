// A guided tour of the stage in seven steps. Each ends with a question, whose answer is visible on
// the stage: the tour highlights it, and says it on request.

import { h, button, show } from './dom.js';

// `see` returns the element with the answer.
export const STEPS = [
  { title: 'A post is one entry in a log',
    text: 'Write a post on the left. The server answers once the post is on the disk. From then on it is in every feed that it belongs to.',
    question: 'How many entries did the post add to the log?', see: '[data-place="Log"]',
    answer: 'One, whatever the number of followers: the number in “Log” increases by one.' },
  { title: 'Fan-out puts it into timelines',
    text: 'A moment later fan-out reads the post from the log and puts it into the timelines of all followers, in one turn.',
    question: 'Into how many timelines did it go, and why is that one more than the author has followers?', see: '[data-place="Timelines"]',
    answer: 'Authors see their own posts, so the author’s timeline has it too. Followers without a timeline are not counted.' },
  { title: 'A reader merges',
    text: 'Sign in on the right as a follower of the author. For a reader without a timeline, the server merges the logs of all followed authors, and then builds a timeline. Write again on the left, and read again: the page is merged from the timeline and from posts that are in no timeline.',
    question: 'How many sources did the page take then, and what does the chip of the new post say?', see: '.reader-half',
    answer: 'One for the timeline, and one for each celebrity that the reader follows. The chip says “pushed”. Posts from before the timeline was built say “backfilled”. Read again: if the server has the page in memory, it uses no source.' },
  { title: 'No reader misses a pending post',
    text: 'Write again, and look at the right side while the squares under “Fan-out” are filled: the reader reads before the post is delivered.',
    question: 'Where did the reader find a post that is in no timeline yet?', see: '.way-log-merge',
    answer: 'In the log: the packet on the lower path says “pending”. Reads include events that fan-out has not processed yet.' },
  { title: 'A celebrity is not pushed',
    text: 'Set the policy to hybrid. Lower the two tier thresholds until the author has more followers than “celebrity above”. Within a second she is a celebrity. Write as her.',
    question: 'How many timelines did that post go into?', see: '[data-place="Timelines"]',
    answer: 'None: the packet ends at “Fan-out” with “not pushed”, and the number in “Timelines” does not change.' },
  { title: 'Then every read pays',
    text: 'Read on the right. The celebrity’s log is one more source of each page that her followers read.',
    question: 'How many sources does the page have now, and how was the post found?', see: '.reader-half',
    answer: 'The timeline, and the log of each celebrity that the reader follows, including hers. Lower thresholds make more celebrities. The chip of her new post says “pulled”. The write was cheap, but each read costs more.' },
  { title: 'The policy changes the cost of a page, never its posts',
    text: 'Switch to pull, then to push, and read each time. To see what chirp lab has measured, open its file below.',
    question: 'Which posts does the reader see under each policy, and which policy is cheapest for this world?', see: '.switches',
    answer: 'The same posts each time. Which policy is cheapest depends on the number of reads per post: the lab’s table marks it.' },
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
