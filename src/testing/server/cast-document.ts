import type { WorldDocument } from './world-document';

/** Short name of the owner, whom the first start makes. */
export const OWNER = 'olivia';

/** The people and places that every test server begins with. */
export const CAST: WorldDocument = {
  people: [
    { name: 'adam', full_name: 'Adam Administrator', role: 'administrator' },
    { name: 'mona', full_name: 'Mona Moderator', role: 'moderator' },
    { name: 'alice', full_name: 'Alice Member' },
    { name: 'bob', full_name: 'Bob Member' },
    { name: 'gus', full_name: 'Gus Guest', role: 'guest' },
  ],
  bots: [
    { name: 'helper', full_name: 'Helper Bot', owner: 'alice', type: 'generic' },
    { name: 'alerts', full_name: 'Alerts Bot', owner: 'alice', type: 'incoming' },
    // Unreachable until a test sets another address.
    {
      name: 'caller',
      full_name: 'Caller Bot',
      owner: 'alice',
      type: 'outgoing',
      url: 'http://127.0.0.1:9/',
    },
  ],
  channels: [
    { name: 'lobby', description: 'Everybody is here', subscribers: ['*'] },
    {
      name: 'team',
      description: 'Everybody but the guest',
      subscribers: ['adam', 'mona', 'alice', 'bob', 'helper'],
    },
    {
      name: 'secret',
      description: 'Only Alice and Bob see it',
      private: true,
      subscribers: ['alice', 'bob'],
    },
  ],
};
