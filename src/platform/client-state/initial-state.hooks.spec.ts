import type { Queryable } from '../sql/queryable';
import { Hooks } from '../hooks/hooks';
import { initialState, readInitialState, stateFor, type StateRequest } from './initial-state.hooks';

const db = {} as Queryable;

function requestFor(wants: (fetchType: string) => boolean): StateRequest {
  return {
    reader: null,
    capabilities: new Set(),
    wants,
    isNamed: () => false,
    includeSubscribers: false,
    clientGravatar: true,
    slimPresence: false,
    presenceHistoryDays: null,
  };
}

function hooksWith(...listeners: ReturnType<typeof stateFor>[]): Hooks {
  const hooks = new Hooks();
  for (const listener of listeners) hooks.on(initialState, listener);
  return hooks;
}

describe('initialState', () => {
  it('combines the state of listeners to the requested types', async () => {
    const hooks = hooksWith(
      stateFor('alert_words', () => ({ alert_words: ['soup'] })),
      stateFor('message', () => Promise.resolve({ max_message_id: 7 })),
      stateFor('message', () => ({ unread: 1 })),
      stateFor('drafts', () => ({ drafts: [] })),
    );
    const wanted = new Set(['alert_words', 'message']);
    expect(
      await readInitialState(
        hooks,
        db,
        requestFor((type) => wanted.has(type)),
      ),
    ).toEqual({
      alert_words: ['soup'],
      max_message_id: 7,
      unread: 1,
    });
    const nothing = requestFor(() => false);
    expect(await readInitialState(hooks, db, nothing)).toEqual({});
  });

  it('passes the snapshot and the request to every listener', async () => {
    const read = jest.fn(() => ({}));
    const request = requestFor(() => true);
    await readInitialState(hooksWith(stateFor('drafts', read)), db, request);
    expect(read.mock.calls).toEqual([[db, request]]);
  });

  it('calls a listener that needs two types only if both are requested', async () => {
    const hooks = hooksWith(stateFor(['update_message_flags', 'message'], () => ({ unread_msgs: {} })));
    const readFor = (wants: (type: string) => boolean) => readInitialState(hooks, db, requestFor(wants));
    expect(await readFor((type) => type !== 'message')).toEqual({});
    expect(await readFor((type) => type === 'message')).toEqual({});
    expect(await readFor(() => true)).toEqual({ unread_msgs: {} });
  });

  it('refuses a key from two listeners', async () => {
    const hooks = hooksWith(
      stateFor('drafts', () => ({ drafts: [] })),
      stateFor('reminders', () => ({ drafts: [1] })),
    );
    const all = requestFor(() => true);
    await expect(readInitialState(hooks, db, all)).rejects.toThrow(
      'Two listeners to initialState provide drafts.',
    );
  });
});
