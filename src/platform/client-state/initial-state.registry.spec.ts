import type { Queryable } from '../database/queryable';
import { InitialStateRegistry } from './initial-state.registry';
import type { StateContributor, StateRequest } from './state-contributor';

const db = {} as Queryable;
const request: StateRequest = {
  reader: null,
  capabilities: new Set(),
  isNamed: () => false,
  includeSubscribers: false,
  clientGravatar: true,
  slimPresence: false,
  presenceHistoryDays: null,
};

function registryOf(...contributors: StateContributor[]): InitialStateRegistry {
  const registry = new InitialStateRegistry();
  for (const contributor of contributors) registry.register(contributor);
  return registry;
}

describe('InitialStateRegistry', () => {
  it('puts together what the contributors of the wanted types give', async () => {
    const registry = registryOf(
      { fetchType: 'alert_words', state: () => ({ alert_words: ['soup'] }) },
      { fetchType: 'message', state: () => Promise.resolve({ max_message_id: 7 }) },
      { fetchType: 'message', state: () => ({ unread: 1 }) },
      { fetchType: 'drafts', state: () => ({ drafts: [] }) },
    );
    const wanted = new Set(['alert_words', 'message']);
    expect(await registry.collect(db, request, (type) => wanted.has(type))).toEqual({
      alert_words: ['soup'],
      max_message_id: 7,
      unread: 1,
    });
    expect(await registry.collect(db, request, () => false)).toEqual({});
  });

  it('hands every contributor the snapshot and the request', async () => {
    const state = jest.fn(() => ({}));
    await registryOf({ fetchType: 'drafts', state }).collect(db, request, () => true);
    expect(state.mock.calls).toEqual([[db, request]]);
  });

  it('asks a contributor that needs two types only where both are wanted', async () => {
    const registry = registryOf({
      fetchType: 'update_message_flags',
      alsoNeeds: ['message'],
      state: () => ({ unread_msgs: {} }),
    });
    expect(await registry.collect(db, request, (type) => type !== 'message')).toEqual({});
    expect(await registry.collect(db, request, (type) => type === 'message')).toEqual({});
    expect(await registry.collect(db, request, () => true)).toEqual({ unread_msgs: {} });
  });

  it('refuses a key that two contributors set', async () => {
    const registry = registryOf(
      { fetchType: 'drafts', state: () => ({ drafts: [] }) },
      { fetchType: 'reminders', state: () => ({ drafts: [1] }) },
    );
    await expect(registry.collect(db, request, () => true)).rejects.toThrow(
      'Two contributors set drafts; the second one serves reminders.',
    );
  });
});
