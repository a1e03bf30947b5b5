// How posts reach their readers under the policy in force, in words.

import { exactCount } from './format.js';

export const TIERS = ['regular', 'influencer', 'celebrity'];

export const POLICIES = {
  push: 'Every post is put into the timelines of followers when it is written.',
  pull: 'Nothing is put into timelines: readers merge the logs of those they follow.',
  hybrid: 'Posts are pushed, but for those of celebrities, which readers fetch.',
  cost: 'Each author is pushed or fetched, whichever is cheaper.',
};

const EVERYBODY = 'pushed to every follower';
const ACTIVE = 'pushed to followers who read lately';
const NOBODY = 'not pushed: readers fetch';

// What becomes of the posts of an author of this tier.
export function tierWords(policy, tier) {
  if (policy === 'pull' || (policy === 'hybrid' && tier === 'celebrity')) return NOBODY;
  if (policy === 'cost') return 'pushed or fetched, as it is cheaper';
  return tier === 'regular' ? EVERYBODY : ACTIVE;
}

// How many followers make this tier, by an EngineState of the server.
export function tierBounds({ influencerFrom, celebrityAbove }, tier) {
  if (tier === 'celebrity') return `more than ${exactCount(celebrityAbove)} followers`;
  return `${tier === 'influencer' ? 'from' : 'below'} ${exactCount(influencerFrom)} followers`;
}
