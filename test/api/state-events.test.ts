import { ServerStartService } from '../../src/features/realtime/queue-maintenance.service';
import type { Answer } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { deactivateGroup, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** What clients are told of changes that reach far: everything they know stays right. */

let app: TestApp;
let zoe: Member;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  zoe = await app.addAccount({ deliveryEmail: 'zoe@example.com', fullName: 'Zoe', role: 400 });
});

afterAll(() => app.stop());

const asOwner = () => app.as(app.cast.olivia);
const done = async (...answers: Promise<Answer>[]) => {
  for (const answer of answers) expectSuccess(await answer);
};
const setRole = (member: Member, role: number) => done(asOwner().patch(`/users/${member.id}`, { role }));
const letGuestsSee = (name: 'role:members' | 'role:everyone') =>
  done(asOwner().patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, name) } }));

describe('Somebody who is deactivated and comes back', () => {
  it('leaves and enters groups, those out of use included, and the values of permissions', async () => {
    const { olivia, mia } = app.cast;
    const crew = await makeGroup(app, olivia, 'crew', { members: [zoe.id, mia.id] });
    const old = await makeGroup(app, olivia, 'old crew', { members: [zoe.id] });
    await deactivateGroup(app, old);
    const holders = { new: peopleAlone(zoe, mia) };
    const open = await createChannel(app, mia, 'zoe’s', { principals: [zoe.id, mia.id] });
    const gone = await createChannel(app, mia, 'zoe’s old', { principals: [zoe.id] });
    await done(
      asOwner().patch('/realm', { can_create_groups: holders }),
      asOwner().patch(`/user_groups/${crew}`, { can_join_group: holders }),
      asOwner().patch(`/streams/${open}`, { can_remove_subscribers_group: holders }),
      asOwner().patch(`/streams/${gone}`, { can_administer_channel_group: holders }),
      asOwner().delete(`/streams/${gone}`),
    );
    await app.expectLaw(() => done(asOwner().delete(`/users/${zoe.id}`)));
    await app.expectLaw(() => done(asOwner().post(`/users/${zoe.id}/reactivate`)));
  });

  it('is no full member that anybody hears of while the waiting period changes', async () => {
    await done(asOwner().delete(`/users/${zoe.id}`));
    await app.expectLaw(() => done(asOwner().patch('/realm', { waiting_period_threshold: 5 })));
    await app.expectLaw(() => done(asOwner().patch('/realm', { waiting_period_threshold: 0 })));
    await app.expectLaw(() => setRole(zoe, 300));
    await done(asOwner().post(`/users/${zoe.id}/reactivate`));
    await setRole(zoe, 400);
  });
});

describe('Somebody whose role changes', () => {
  it('gains and loses channels, bots, default channels and addresses', async () => {
    const { olivia, mia, max } = app.cast;
    await changeAccount(app, max, { emailVisibility: 3 });
    await createChannel(app, olivia, 'closed', { invite_only: true });
    const gone = await createChannel(app, olivia, 'closed and gone', { invite_only: true });
    await createChannel(app, olivia, 'for newcomers', { is_default_stream: true });
    await done(asOwner().delete(`/streams/${gone}`));
    for (const role of [200, 300, 600, 200, 400]) await app.expectLaw(() => setRole(mia, role));
  });

  it('gains and loses sight of people where guests are restricted', async () => {
    const { mia } = app.cast;
    await letGuestsSee('role:members');
    for (const role of [600, 400]) await app.expectLaw(() => setRole(mia, role));
    await letGuestsSee('role:everyone');
  });
});

describe('A guest', () => {
  it('loses and gains sight of people with the setting that says so', async () => {
    await done(app.as(app.cast.max).patch('/settings', { full_name: 'Max M.' }));
    await app.expectLaw(() => letGuestsSee('role:members'));
    await app.expectLaw(() => letGuestsSee('role:everyone'));
    await letGuestsSee('role:members');
  });

  it('comes to see whoever writes to them, profile included', async () => {
    const { id } = expectSuccess(
      await asOwner().post('/realm/profile_fields', { name: 'Phone', field_type: 1 }),
    );
    await done(app.as(app.cast.mona).patch('/users/me/profile_data', { data: [{ id, value: '555' }] }));
    await app.expectLaw(() => sendDirect(app, app.cast.mona, [app.cast.gus]));
  });

  it('sees people of their channels while they are there, and not deactivated', async () => {
    const { gus, mia } = app.cast;
    await app.expectLaw(() => createChannel(app, mia, 'shared', { principals: [mia.id, gus.id, zoe.id] }));
    await app.expectLaw(() => done(asOwner().delete(`/users/${zoe.id}`)));
    await app.expectLaw(() => done(asOwner().post(`/users/${zoe.id}/reactivate`)));
    await app.expectLaw(() => done(asOwner().delete(`/users/${zoe.id}`)));
    const leave = { subscriptions: ['shared'], principals: [gus.id] };
    await app.expectLaw(() => done(asOwner().delete('/users/me/subscriptions', leave)));
    await done(asOwner().post(`/users/${zoe.id}/reactivate`));
    await letGuestsSee('role:everyone');
  });
});

describe('A bot', () => {
  it('is shown with the names of its channels', async () => {
    const { mia, robo } = app.cast;
    const id = await createChannel(app, mia, 'place');
    await done(
      app.as(mia).patch(`/bots/${robo.id}`, {
        default_sending_stream: 'place',
        default_events_register_stream: 'place',
      }),
    );
    await app.expectLaw(() => done(asOwner().patch(`/streams/${id}`, { new_name: 'another place' })));
  });
});

describe('What people say of themselves', () => {
  it('is told to whoever comes to see them, and anew when they come back', async () => {
    const { gus } = app.cast;
    const say = (status: object) => done(app.as(zoe).post('/users/me/status', { ...status }));
    await say({ status_text: 'busy', emoji_name: 'car' });
    await letGuestsSee('role:members');
    await say({ status_text: 'in a meeting', emoji_name: '' });
    const queue = await app.queue(gus, { event_types: ['user_status'] });
    await app.expectLaw(() => letGuestsSee('role:everyone'));
    expect(await queue.events()).toMatchObject([
      { type: 'user_status', user_id: zoe.id, status_text: 'in a meeting' },
    ]);
    await done(asOwner().delete(`/users/${zoe.id}`));
    await app.expectLaw(() => done(asOwner().post(`/users/${zoe.id}/reactivate`)));
    expect((await queue.events()).at(-1)).toMatchObject({ user_id: zoe.id, status_text: 'in a meeting' });
    await app.expectLaw(() => say({ status_text: '', away: true }));
    await done(asOwner().delete(`/users/${zoe.id}`));
    await app.expectLaw(() => done(asOwner().post(`/users/${zoe.id}/reactivate`)));
    expect((await queue.events()).at(-1)).toMatchObject({ user_id: zoe.id, away: true });
  });
});

describe('A server that begins anew', () => {
  it('tells everybody which version it is, and that it is another start', async () => {
    const { max, mia } = app.cast;
    const [everything, restarts, messages] = await Promise.all([
      app.queue(max, { fetch_event_types: ['realm'] }),
      app.queue(mia, { event_types: ['restart'] }),
      app.queue(mia, { event_types: ['message'] }),
    ]);
    const begin = () => app.get(ServerStartService).onApplicationBootstrap();
    await app.expectLaw(begin);
    const { zulip_version, zulip_merge_base, zulip_feature_level, server_generation } = everything.state;
    const [event] = await restarts.events();
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'restart',
      zulip_version,
      zulip_merge_base,
      zulip_feature_level,
      server_generation: expect.any(Number),
    });
    expect(event.server_generation).toBeGreaterThan(server_generation);
    expect(await everything.events()).toEqual([event]);
    expect(await messages.events()).toEqual([]);
    const { state } = await app.queue(max, { fetch_event_types: ['realm'] });
    expect(state.server_generation).toBe(event.server_generation);
  });
});
