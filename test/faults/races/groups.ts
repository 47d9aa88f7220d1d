import { channelRecord } from '../../support/channel-setup';
import { deactivateGroup, groupRecord, makeGroup } from '../../support/group-setup';
import { done, ground, stranger, type Races, type Side } from './race';

/** Groups, and the permissions that rest on them. */
export const GROUP_RACES: Races = {
  'add to a group, and deactivate it': async (app, round) => {
    const { olivia, max } = app.cast;
    const group = await makeGroup(app, olivia, `group ${round}`);
    return [
      () => app.as(olivia).post(`/user_groups/${group}/members`, { add: [max.id] }),
      () => app.as(olivia).post(`/user_groups/${group}/deactivate`),
    ];
  },
  'put two groups into each other': async (app, round) => {
    const { olivia } = app.cast;
    const one = await makeGroup(app, olivia, `one ${round}`);
    const other = await makeGroup(app, olivia, `other ${round}`);
    const put = (into: number, which: number) => () =>
      app.as(olivia).post(`/user_groups/${into}/subgroups`, { add: [which] });
    return [put(one, other), put(other, one)];
  },
  'put a group into another, and deactivate it': async (app, round) => {
    const { olivia } = app.cast;
    const outer = await makeGroup(app, olivia, `outer ${round}`);
    const inner = await makeGroup(app, olivia, `inner ${round}`);
    return [
      () => app.as(olivia).post(`/user_groups/${outer}/subgroups`, { add: [inner] }),
      () => app.as(olivia).post(`/user_groups/${inner}/deactivate`),
    ];
  },
  'give a permission to a group, and deactivate it': async (app, round) => {
    const { olivia } = app.cast;
    const { channel } = await ground(app, round);
    const group = await makeGroup(app, olivia, `group ${round}`);
    return [
      () => app.as(olivia).patch(`/streams/${channel}`, { can_send_message_group: { new: group } }),
      () => app.as(olivia).post(`/user_groups/${group}/deactivate`),
      async () => {
        const { can_send_message_group: holder } = await channelRecord(app, channel);
        const record = await groupRecord(app, group);
        expect(holder === group && record?.deactivated).toBe(false);
      },
    ];
  },
  'give a group a permission over another, and deactivate it': async (app, round) => {
    const { olivia } = app.cast;
    const managed = await makeGroup(app, olivia, `managed ${round}`);
    const group = await makeGroup(app, olivia, `group ${round}`);
    return [
      () => app.as(olivia).patch(`/user_groups/${managed}`, { can_manage_group: { new: group } }),
      () => app.as(olivia).post(`/user_groups/${group}/deactivate`),
      async () => {
        const { can_manage_group: holder } = (await groupRecord(app, managed))!;
        expect(holder === group && (await groupRecord(app, group))!.deactivated).toBe(false);
      },
    ];
  },
  'give a group a permission of the organization, and deactivate it': async (app, round) => {
    const { olivia } = app.cast;
    const group = await makeGroup(app, olivia, `group ${round}`);
    const setting = 'can_create_public_channel_group';
    const state = { fetch_event_types: ['realm'] };
    const { [`realm_${setting}`]: before } = (await app.as(olivia).post('/register', state)).body;
    return [
      () => app.as(olivia).patch('/realm', { [setting]: { new: group } }),
      () => app.as(olivia).post(`/user_groups/${group}/deactivate`),
      async ({ one }) => {
        const isDeactivated = (await groupRecord(app, group))!.deactivated;
        expect(done(one) > 0 && isDeactivated).toBe(false);
        expect((await app.as(olivia).patch('/realm', { [setting]: { new: before } })).status).toBe(200);
        if (!isDeactivated) await deactivateGroup(app, group);
      },
    ];
  },
  'rename two groups to one name': async (app, round) => {
    const { olivia } = app.cast;
    const groups = [
      await makeGroup(app, olivia, `one ${round}`),
      await makeGroup(app, olivia, `two ${round}`),
    ];
    const rename =
      (id: number | undefined): Side =>
      () =>
        app.as(olivia).patch(`/user_groups/${id}`, { name: `same ${round}` });
    return [
      rename(groups[0]),
      rename(groups[1]),
      async () => {
        const names = await Promise.all(groups.map(async (id) => (await groupRecord(app, id))?.name));
        expect(names.filter((name) => name === `same ${round}`)).toHaveLength(1);
      },
    ];
  },
  'add somebody to a group, and deactivate them': async (app, round) => {
    const { olivia } = app.cast;
    const who = await stranger(app, round);
    const group = await makeGroup(app, olivia, `group ${round}`);
    return [
      () => app.as(olivia).post(`/user_groups/${group}/members`, { add: [who.id] }),
      () => app.as(olivia).delete(`/users/${who.id}`),
    ];
  },
  'add somebody to a group, and delete them for good': async (app, round) => {
    const { olivia } = app.cast;
    const who = await stranger(app, round);
    const group = await makeGroup(app, olivia, `group ${round}`);
    const owner = await app.companionAs(olivia);
    return [
      () => app.as(olivia).post(`/user_groups/${group}/members`, { add: [who.id] }),
      () => owner.delete(`/auth/users/${who.id}`),
    ];
  },
};
