import { channelRecord } from '../../support/channel-setup';
import { expectSuccess } from '../../support/expect-answer';
import { sendTo } from '../../support/message-setup';
import type { TestApp } from '../../support/test-app';
import { callerOf, done, ground, slug, stranger, type Races, type Side } from './race';

/** Channels, and who is in them. */
export const CHANNEL_RACES: Races = {
  'subscribe, and archive the channel': async (app, round) => {
    const { name, channel } = await ground(app, round);
    const wanted = { subscriptions: [{ name }] };
    return [
      () => app.as(app.cast.mona).post('/users/me/subscriptions', wanted),
      () => app.as(app.cast.olivia).delete(`/streams/${channel}`),
    ];
  },
  'rename a channel, and make one of that name': async (app, round) => {
    const { channel } = await ground(app, round);
    const name = `renamed ${round}`;
    return [
      () => app.as(app.cast.olivia).patch(`/streams/${channel}`, { new_name: name }),
      (call) => app.as(callerOf(app, call)).post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    ];
  },
  'rename two channels to one name': async (app, round) => {
    const { channel } = await ground(app, round);
    const other = (await ground(app, `${round} other`)).channel;
    const rename =
      (id: number): Side =>
      () =>
        app.as(app.cast.olivia).patch(`/streams/${id}`, { new_name: `one name ${round}` });
    return [
      rename(channel),
      rename(other),
      async () => {
        const names = await Promise.all(
          [channel, other].map(async (id) => (await channelRecord(app, id)).name),
        );
        expect(names.filter((name) => name === `one name ${round}`)).toHaveLength(1);
      },
    ];
  },
  'archive a channel, and bring it back': async (app, round) => {
    const { channel } = await ground(app, round);
    return [
      () => app.as(app.cast.olivia).delete(`/streams/${channel}`),
      () => app.as(app.cast.olivia).patch(`/streams/${channel}`, { is_archived: false }),
    ];
  },
  'subscribe, and make the channel private': async (app, round) => {
    const { name, channel } = await ground(app, round);
    return [
      () => app.as(app.cast.mona).post('/users/me/subscriptions', { subscriptions: [{ name }] }),
      () => app.as(app.cast.olivia).patch(`/streams/${channel}`, { is_private: true }),
    ];
  },
  'move a topic to a channel, and archive that': async (app, round) => {
    const { channel } = await ground(app, round);
    const from = await ground(app, `${round} from`);
    const moved = { stream_id: channel, propagate_mode: 'change_all' };
    return [
      () => app.as(app.cast.olivia).patch(`/messages/${from.message}`, moved),
      () => app.as(app.cast.olivia).delete(`/streams/${channel}`),
    ];
  },
  'swap topics of two channels': async (app, round) => {
    const one = await ground(app, round);
    const other = await ground(app, `${round} other`);
    const more = await sendTo(app, app.cast.mia, other.channel, 'more', 'first');
    const move =
      (message: number, to: number): Side =>
      () =>
        app
          .as(app.cast.olivia)
          .patch(`/messages/${message}`, { stream_id: to, propagate_mode: 'change_all' });
    return [move(one.message, other.channel), move(more, one.channel)];
  },
  'have newcomers find a channel, and archive it': async (app, round) => {
    const { channel } = await ground(app, round);
    return [
      () => app.as(app.cast.olivia).post('/default_streams', { stream_id: channel }),
      () => app.as(app.cast.olivia).delete(`/streams/${channel}`),
      async () => {
        if (!(await channelRecord(app, channel)).is_archived) return;
        const state = await app.as(app.cast.olivia).post('/register', {
          fetch_event_types: ['default_streams'],
        });
        expect(expectSuccess(state).realm_default_streams).not.toContain(channel);
      },
    ];
  },
  'subscribe somebody, and deactivate them': async (app, round) => {
    const { name } = await ground(app, round);
    const who = await stranger(app, round);
    const wanted = { subscriptions: [{ name }], principals: [who.id] };
    return [
      () => app.as(app.cast.mia).post('/users/me/subscriptions', wanted),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
  'subscribe somebody, and delete them for good': async (app, round) => {
    const { name } = await ground(app, round);
    const who = await stranger(app, round);
    const wanted = { subscriptions: [{ name }], principals: [who.id] };
    const owner = await app.companionAs(app.cast.olivia);
    return [
      () => app.as(app.cast.mia).post('/users/me/subscriptions', wanted),
      () => owner.delete(`/auth/users/${who.id}`),
    ];
  },
  'put a channel into a folder, and archive the folder': async (app, round) => {
    const { channel } = await ground(app, round);
    const folder = await makeFolder(app, `folder ${slug(round)}`);
    return [
      () => app.as(app.cast.olivia).patch(`/streams/${channel}`, { folder_id: folder }),
      () => app.as(app.cast.olivia).patch(`/channel_folders/${folder}`, { is_archived: true }),
    ];
  },
  'make two folders of one name': async (app, round) => {
    const make: Side = () =>
      app
        .as(app.cast.olivia)
        .post('/channel_folders/create', { name: `same ${slug(round)}`, description: '' });
    return [make, make, ({ one, other }) => expect(done([...one, ...other])).toBe(1)];
  },
  'mute a channel, and leave it': async (app, round) => {
    const { name, channel } = await ground(app, round);
    const muted = { subscription_data: [{ stream_id: channel, property: 'is_muted', value: true }] };
    return [
      (call) => app.as(callerOf(app, call)).post('/users/me/subscriptions/properties', muted),
      (call) => app.as(callerOf(app, call)).delete('/users/me/subscriptions', { subscriptions: [name] }),
    ];
  },
};

async function makeFolder(app: TestApp, name: string): Promise<number> {
  const answer = await app.as(app.cast.olivia).post('/channel_folders/create', { name, description: '' });
  return expectSuccess(answer).channel_folder_id;
}
