// Describes in words how posts reach their readers under the current policy.

import { exactCount } from './format.js';

export const TIERS = ['regular', 'influencer', 'celebrity'];

export const POLICIES = {
  push: 'Every post is put into the timelines of followers after it is written.',
  pull: 'Nothing is put into timelines: readers merge the logs of the authors they follow.',
  hybrid: 'Posts are pushed, except those of celebrities, which readers fetch.',
  cost: 'The posts of each author are pushed or fetched, whichever is cheaper.',
};

const EVERYBODY = 'pushed to every follower';
const ACTIVE = 'pushed to followers who have read recently';
const NOBODY = 'not pushed: readers fetch';

// How the posts of an author of this tier are delivered.
export function tierWords(policy, tier) {
  if (policy === 'pull' || (policy === 'hybrid' && tier === 'celebrity')) return NOBODY;
  if (policy === 'cost') return 'pushed or fetched, whichever is cheaper';
  return tier === 'regular' ? EVERYBODY : ACTIVE;
}

// The followers needed for this tier, by the server's EngineState.
export function tierBounds({ influencerFrom, celebrityAbove }, tier) {
  if (tier === 'celebrity') return `more than ${exactCount(celebrityAbove)} followers`;
  return `${tier === 'influencer' ? 'from' : 'below'} ${exactCount(influencerFrom)} followers`;
}
