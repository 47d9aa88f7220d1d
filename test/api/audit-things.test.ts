import { AuditReader } from '../support/audit-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, systemGroupId } from '../support/group-setup';
import { TestApp } from '../support/test-app';

describe('The audit log of channels, groups and the organization', () => {
  let app: TestApp;
  let log: AuditReader;

  beforeAll(async () => {
    app = await TestApp.start();
    log = await AuditReader.of(app);
  });

  afterAll(() => app.stop());

  const owner = () => app.as(app.cast.olivia);
  const news = async () => (await log.news()).map(({ action, details }) => [action, details]);
  const makeChannel = async (name: string, subscribers: readonly number[]): Promise<number> => {
    const answer = await owner().post('/channels/create', { name, subscribers });
    return expectSuccess(answer).id;
  };

  it('has what becomes of a channel', async () => {
    const id = await makeChannel('plans', [app.cast.olivia.id]);
    expect(await news()).toEqual([['channel.created', { name: 'plans', is_private: false }]]);
    const nobody = { direct_members: [app.cast.mia.id], direct_subgroups: [] };
    const change = { is_private: true, new_name: 'secret plans', can_send_message_group: { new: nobody } };
    expectSuccess(await owner().patch(`/streams/${id}`, change));
    const changed = await log.only();
    expect(changed).toMatchObject({ action: 'channel.changed', target_id: id, target_user_id: null });
    expect(changed.details).toMatchObject({
      name: { from: 'plans', to: 'secret plans' },
      is_private: { from: false, to: true },
      can_send_message_group: { from: expect.any(Number), to: nobody },
    });
    expectSuccess(await owner().patch(`/streams/${id}`, { is_private: true }));
    expect(await log.news()).toEqual([]);
    expectSuccess(await owner().delete(`/streams/${id}`));
    expectSuccess(await owner().patch(`/streams/${id}`, { is_archived: false }));
    expect((await news()).map(([action]) => action)).toEqual(['channel.archived', 'channel.unarchived']);
    expect(await log.find(`action=channel&target_id=${id}`)).toHaveLength(4);
  });

  it('has who brings whom into a channel and out of it, and nobody who comes and goes', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await makeChannel('doors', [olivia.id]);
    await log.news();
    const subscriptions = [{ name: 'doors' }];
    expectSuccess(await app.as(mia).post('/users/me/subscriptions', { subscriptions }));
    expectSuccess(await app.as(mia).delete('/users/me/subscriptions', { subscriptions: ['doors'] }));
    expect(await log.news()).toEqual([]);
    const principals = [mia.id, max.id, olivia.id];
    expectSuccess(await owner().post('/users/me/subscriptions', { subscriptions, principals }));
    expectSuccess(
      await owner().delete('/users/me/subscriptions', { subscriptions: ['doors'], principals: [mia.id] }),
    );
    const moved = await log.news();
    expect(moved.map((entry) => [entry.action, entry.target_id, entry.target_user_id])).toEqual([
      ...[mia.id, max.id].sort((a, b) => a - b).map((added) => ['channel.subscriber_added', id, added]),
      ['channel.subscriber_removed', id, mia.id],
    ]);
    expect(moved.every((entry) => entry.actor_id === olivia.id)).toBe(true);
  });

  it('has what becomes of a group, its members and its permissions', async () => {
    const { mia, olivia } = app.cast;
    const id = await makeGroup(app, olivia, 'crew', { members: [olivia.id] });
    const inner = await makeGroup(app, olivia, 'inner', {});
    expect((await news()).map(([action]) => action)).toEqual([
      'group.created',
      'group.member_added',
      'group.created',
    ]);
    expectSuccess(await owner().post(`/user_groups/${id}/members`, { add: [mia.id], delete: [olivia.id] }));
    expectSuccess(await owner().post(`/user_groups/${id}/subgroups`, { add: [inner] }));
    const everybody = { direct_members: [mia.id], direct_subgroups: [] };
    const mentioning = systemGroupId(app, 'role:everyone');
    expectSuccess(
      await owner().patch(`/user_groups/${id}`, { name: 'team', can_mention_group: { new: everybody } }),
    );
    expectSuccess(await owner().post(`/user_groups/${id}/deactivate`));
    expectSuccess(await owner().patch(`/user_groups/${id}`, { deactivated: false }));
    const found = await log.news();
    expect(found.map(({ action, target_user_id, details }) => [action, target_user_id, details])).toEqual([
      ['group.member_added', mia.id, {}],
      ['group.member_removed', olivia.id, {}],
      ['group.subgroups_changed', null, { added: [inner], removed: [] }],
      [
        'group.changed',
        null,
        { name: { from: 'crew', to: 'team' }, can_mention_group: { from: mentioning, to: everybody } },
      ],
      ['group.deactivated', null, {}],
      ['group.reactivated', null, {}],
    ]);
    expect(found.every((entry) => entry.target_id === id)).toBe(true);
  });

  it('has the settings that were changed, as they were and as they are', async () => {
    const change = {
      description: 'x'.repeat(900),
      waiting_period_threshold: 3,
      name: 'Herons',
      can_create_groups: { new: { direct_members: [app.cast.mia.id], direct_subgroups: [] } },
    };
    expectSuccess(await owner().patch('/realm', change));
    const { action, target_id, details } = await log.only();
    expect([action, target_id]).toEqual(['organization.changed', null]);
    expect(details).toMatchObject({
      name: { to: 'Herons' },
      waiting_period_threshold: { from: 0, to: 3 },
      description: { to: `${'x'.repeat(100)}…` },
      can_create_groups: { from: expect.any(Number), to: { direct_members: [app.cast.mia.id] } },
    });
    expectSuccess(await owner().patch('/realm', { name: 'Herons' }));
    expect(await log.news()).toEqual([]);
    expectSuccess(await owner().patch('/realm/user_settings_defaults', { twenty_four_hour_time: true }));
    expect(await news()).toEqual([
      [
        'organization.changed',
        { user_settings_defaults: { twenty_four_hour_time: { from: false, to: true } } },
      ],
    ]);
  });

  it('has linkifiers, playgrounds, emoji, profile fields and channel folders', async () => {
    const linkifier = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://t.example.com/{id}' };
    const { id } = expectSuccess(await owner().post('/realm/filters', linkifier));
    const other = { ...linkifier, url_template: 'https://u.example.com/{id}' };
    expectSuccess(await owner().patch(`/realm/filters/${id}`, other));
    expectSuccess(await owner().delete(`/realm/filters/${id}`));
    expect(await news()).toEqual([
      ['linkifier.created', { ...linkifier, alternative_url_templates: [] }],
      ['linkifier.changed', { url_template: { from: linkifier.url_template, to: other.url_template } }],
      ['linkifier.deleted', { ...other, alternative_url_templates: [] }],
    ]);
    const name = 'herons';
    const folder = expectSuccess(await owner().post('/channel_folders/create', { name, description: '' }));
    expectSuccess(await owner().patch(`/channel_folders/${folder.channel_folder_id}`, { name: 'storks' }));
    expect(await news()).toEqual([
      ['channel_folder.created', { name }],
      ['channel_folder.changed', { name: { from: name, to: 'storks' } }],
    ]);
  });

  it('has messages of others that were moved, without a word of them', async () => {
    const { mia, mona, olivia } = app.cast;
    const members = [olivia.id, mia.id, mona.id];
    const [here, there] = [await makeChannel('here', members), await makeChannel('there', members)];
    const send = async (who: { id: number }) =>
      expectSuccess(
        await app
          .as(who)
          .post('/messages', { type: 'channel', to: 'here', topic: 'a secret', content: 'word' }),
      ).id;
    const move = async (id: number, changes: object) =>
      expectSuccess(
        await app.as(mona).patch(`/messages/${id}`, {
          send_notification_to_old_thread: false,
          send_notification_to_new_thread: false,
          ...changes,
        }),
      );
    const [own, hers, later] = [await send(mona), await send(mia), await send(mia)];
    await log.news();
    await move(own, { topic: 'another secret' });
    await move(hers, { topic: '✔ a secret', propagate_mode: 'change_all' });
    expect(await log.news()).toEqual([]);
    await move(hers, { topic: 'another secret' });
    const moved = await log.only();
    expect(moved).toMatchObject({
      action: 'message.moved',
      actor_id: mona.id,
      target_id: hers,
      target_user_id: mia.id,
      details: { messages: 1, from: { channel: here }, to: { channel: here } },
    });
    await move(own, { stream_id: there, propagate_mode: 'change_all' });
    const all = await log.only();
    const topic_id = expect.any(Number);
    expect(all.details).toEqual({
      messages: 2,
      from: { channel: here, topic_id },
      to: { channel: there, topic_id },
    });
    expect(JSON.stringify([moved, all])).not.toContain('secret');
    expectSuccess(
      await owner().patch('/realm', {
        can_delete_any_message_group: { new: systemGroupId(app, 'role:moderators') },
      }),
    );
    await log.news();
    expectSuccess(await app.as(mona).delete(`/messages/${later}`));
    expect(await log.only()).toMatchObject({
      action: 'message.deleted',
      actor_id: mona.id,
      target_id: later,
    });
  });

  it('has messages of others that were deleted, without a word of them', async () => {
    const { mia, olivia } = app.cast;
    await makeChannel('talk', [olivia.id, mia.id]);
    await log.news();
    const say = async (who: typeof mia): Promise<number> => {
      const message = { type: 'channel', to: 'talk', topic: 'secrets', content: 'a secret word' };
      return expectSuccess(await app.as(who).post('/messages', message)).id;
    };
    const [hers, own] = [await say(mia), await say(olivia)];
    await say(mia);
    expectSuccess(await owner().delete(`/messages/${own}`));
    expect(await log.news()).toEqual([]);
    expectSuccess(await owner().delete(`/messages/${hers}`));
    const deleted = await log.only();
    expect(deleted).toMatchObject({ action: 'message.deleted', target_id: hers, target_user_id: mia.id });
    const { body } = await owner().get('/get_stream_id', { stream: 'talk' });
    expectSuccess(await owner().post(`/streams/${body.stream_id}/delete_topic`, { topic_name: 'secrets' }));
    const topic = await log.only();
    expect(topic).toMatchObject({ action: 'channel.topic_deleted', target_id: body.stream_id });
    expect(topic.details).toEqual({ topic_id: expect.any(Number), messages: 1 });
    expect(JSON.stringify([deleted, topic])).not.toMatch(/secret/);
  });
});
