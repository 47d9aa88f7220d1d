import type { LevelContext } from './level-change';
import { OlderRelease } from './older-release';

const PERSON = {
  email: 'a@example.com',
  full_name: 'A',
  api_key: 'k',
  avatar_url: '/a.png',
  bot_type: null,
  owner_id: null,
  is_active: true,
};
const CONTEXT: LevelContext = {
  asker: null,
  client: null,
  systemGroup: () => 1,
  groupName: () => null,
  isDeactivatedGroup: () => false,
  account: () => PERSON,
  sentAt: () => Promise.resolve(new Map()),
  hasExpired: () => false,
  channel: () => null,
  channelNamed: () => null,
  rightTo: () => null,
  postingRefusal: () => null,
  request: () => Promise.resolve({}),
  tellOfBot: () => Promise.resolve(),
  toldOfBot: () => null,
};

const REGISTER = { method: 'POST', path: '/api/v1/register' };
const POLL = { method: 'GET', path: '/api/v1/events' };
const EVENT = { id: 7, type: 'user_settings', op: 'update', property: 'enable_sounds', value: false };

describe('OlderRelease', () => {
  /** The events that a client with these declarations receives. */
  async function polled(level: number, asked: Record<string, unknown>) {
    const release = new OlderRelease(level, CONTEXT);
    const parameters = new Map(Object.entries(asked).map(([name, value]) => [name, JSON.stringify(value)]));
    const reading = release.read(REGISTER, parameters);
    await release.answer(REGISTER, { result: 'success', queue_id: 'q' }, 5, reading);
    const answer = { result: 'success', events: [{ ...EVENT }] };
    await release.answer(POLL, answer, 5, release.read(POLL, new Map([['queue_id', 'q']])));
    return { events: answer.events, registered: Object.fromEntries(parameters) };
  }

  const former = {
    id: 7,
    type: 'update_global_notifications',
    user: 'a@example.com',
    notification_name: 'enable_sounds',
    setting: false,
  };

  it('sends settings in both forms unless clients declare the new one', async () => {
    await expect(polled(421, {})).resolves.toMatchObject({ events: [EVENT, former] });
    const declared = { client_capabilities: { user_settings_object: true } };
    await expect(polled(421, declared)).resolves.toMatchObject({ events: [EVENT] });
    await expect(polled(496, {})).resolves.toMatchObject({ events: [EVENT] });
  });

  it('sends settings, and nothing else, to clients that request only them', async () => {
    await expect(polled(421, { event_types: ['update_global_notifications'] })).resolves.toEqual({
      events: [former],
      registered: {
        event_types: '["update_global_notifications","user_settings"]',
        fetch_event_types: '["update_global_notifications","user_settings"]',
      },
    });
    await expect(polled(421, { event_types: ['update_display_settings'] })).resolves.toMatchObject({
      events: [{ type: 'heartbeat', id: 7 }],
    });
  });

  it('sends the upload quota in bytes below level 251', async () => {
    const stateAt = async (level: number) => {
      const state = { result: 'success', realm_upload_quota_mib: 5 };
      await new OlderRelease(level, CONTEXT).answer(REGISTER, state, null);
      return state.realm_upload_quota_mib;
    };
    await expect(stateAt(237)).resolves.toBe(5_242_880);
    await expect(stateAt(278)).resolves.toBe(5);
  });

  it('does not mark deleted people below level 490', async () => {
    const peopleAt = async (level: number) => {
      const answer = { result: 'success', members: [{ user_id: 3, is_deleted: true }] };
      await new OlderRelease(level, CONTEXT).answer({ method: 'GET', path: '/api/v1/users' }, answer, null);
      return answer.members;
    };
    await expect(peopleAt(421)).resolves.toEqual([expect.not.objectContaining({ is_deleted: true })]);
    await expect(peopleAt(496)).resolves.toEqual([{ user_id: 3, is_deleted: true }]);
  });

  it('uses former names for the messages of a file', async () => {
    const sentAt = () => Promise.resolve(new Map([[3, 1_700_000_000]]));
    const files = { result: 'success', attachments: [{ create_time: 1_600_000_000, message_ids: [3] }] };
    const release = new OlderRelease(421, { ...CONTEXT, sentAt });
    await release.answer({ method: 'GET', path: '/api/v1/attachments' }, files, null);
    expect(files.attachments).toEqual([
      { create_time: 1_600_000_000_000, messages: [{ id: 3, date_sent: 1_700_000_000_000 }] },
    ]);
  });

  it('renames the empty topic wherever it occurs, except in direct messages', async () => {
    const events = [
      { id: 1, type: 'message', message: { type: 'stream', subject: '' } },
      { id: 2, type: 'message', message: { type: 'private', subject: '' } },
      { id: 3, type: 'update_message', stream_id: 4, orig_subject: '', subject: 'lunch' },
    ];
    const answer = { result: 'success', events };
    await new OlderRelease(278, CONTEXT).answer(POLL, answer, null);
    expect(answer.events).toMatchObject([
      { message: { subject: '(no topic)' } },
      { message: { subject: '' } },
      { orig_subject: '(no topic)', subject: 'lunch' },
    ]);
  });

  it('keeps times in code unchanged', async () => {
    const code = '<p><code>&lt;time:x&gt;</code></p>';
    const answer = { result: 'success', rendered: `<p>&lt;time:x&gt;</p>${code}` };
    const route = { method: 'POST', path: '/api/v1/messages/render' };
    await new OlderRelease(421, CONTEXT).answer(route, answer, null);
    expect(answer.rendered).toBe(`<p><span class="timestamp-error">Invalid time format: x</span></p>${code}`);
  });
});
