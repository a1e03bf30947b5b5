// The stage, for a projector: a diagram of a post's way that moves with the engine, switches for
// the policy and the tier limits, a split screen of author and reader, and a tour. Only with
// --demo, for permitted users.

import { h, button, show } from './dom.js';
import { field, form } from './form.js';
import { announce, complain } from './notice.js';
import { POLICIES } from './policy.js';
import { flowDiagram } from './flow.js';
import { authorHalf, readerHalf } from './halves.js';
import { labPanel } from './labfigures.js';
import { tourPanel } from './tour.js';
import { getStage, switchStage, watchStage } from './stagecalls.js';
import { tell } from './bus.js';

const TIER_MS = 2000;
const REFUSALS = {
  403: 'Only accounts that the operator of this server named may use the stage. Sign in as one of them.',
  404: 'This server has no stage. Start it with: chirp serve --demo',
};

// #/stage
export function stageView(signal) {
  const element = h('div', { class: 'stage' }, h('h1', {}, 'Stage'), h('p', { class: 'quiet loading' }, 'Loading…'));
  let catchUp = () => {};
  build(element, signal).then((refresh) => { catchUp = refresh; }).catch((error) => {
    if (error.name === 'AbortError') return;
    show(element, h('h1', {}, 'Stage'), h('p', { role: 'alert' }, REFUSALS[error.status] ?? error.message));
  });
  return { title: 'Stage', element, onShow: () => catchUp() };
}

// Returns a function that makes both halves read again.
async function build(element, signal) {
  const state = await getStage(signal);
  const flow = flowDiagram();
  const switches = switchPanel(state);
  const author = authorHalf(signal);
  const reader = readerHalf(signal);
  const connection = h('span', { class: 'quiet stage-connection', role: 'status' });
  show(element,
       h('div', { class: 'view-head' }, h('h1', {}, 'Stage'), connection, h('span', { class: 'spacer' }), switches.element),
       h('section', { class: 'card flow-card', tabindex: '0', 'aria-label': 'The path of a post' }, flow.element, flow.log),
       h('div', { class: 'stage-columns' }, author.element, reader.element, tourPanel()),
       labPanel(state.lab));

  // The halves of a stage that was left are hidden, so they read nothing until it is shown again.
  const refresh = (half) => { if (element.isConnected) half.refresh(); };
  const onMessage = (event, data) => {
    flow.tell(event, data);
    if (event === 'state') {
      switches.take(data);
      tell('policy');
    }
    if (event === 'state' || event === 'done') refresh(author);
    if (event !== 'reads' && event !== 'queue') refresh(reader);
  };
  // Tiers change a while after followers and limits do, without a message.
  const looking = setInterval(() => refresh(author), TIER_MS);
  signal.addEventListener('abort', () => clearInterval(looking));
  watchStage(onMessage, (stands) => {
    show(connection, stands ? 'live' : 'coming back…');
    connection.dataset.stands = String(stands);
  }, signal);
  return () => [author, reader].forEach(refresh);
}

// {element, take(state)}
function switchPanel(first) {
  let policy = first.policy;
  const words = h('p', { class: 'quiet policy-words' });
  const tabs = Object.keys(POLICIES).map((name) => button(name, () => change({ policy: name }), { kind: 'tab', 'data-policy': name }));
  const bound = (name, value) => h('input', { name, type: 'number', min: '1', max: '1000000000', required: true, value });
  const influencer = bound('influencerFrom', first.influencerFrom);
  const celebrity = bound('celebrityAbove', first.celebrityAbove);
  const bounds = form([field('Influencer from', influencer), field('Celebrity above', celebrity)], 'Set',
                      async ({ influencerFrom, celebrityAbove }) => {
                        take(await switchStage({ influencerFrom: Number(influencerFrom), celebrityAbove: Number(celebrityAbove) }));
                        announce('The tier thresholds are set.');
                      }, { kind: 'plain small', attributes: { class: 'form bounds', 'aria-label': 'Tier thresholds, in followers' } });

  async function change(wanted) {
    try {
      take(await switchStage(wanted));
      announce(`The policy is ${policy}.`);
    } catch (error) {
      complain(error);
    }
  }

  function take(state) {
    policy = state.policy;
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.policy === policy));
    show(words, POLICIES[policy]);
    // Keeps what the user is typing.
    if (document.activeElement !== influencer) influencer.value = state.influencerFrom;
    if (document.activeElement !== celebrity) celebrity.value = state.celebrityAbove;
  }
  take(first);
  return {
    take,
    element: h('div', { class: 'switches' },
               h('div', { class: 'tabs small', role: 'group', 'aria-label': 'Policy' }, tabs), words, bounds),
  };
}
