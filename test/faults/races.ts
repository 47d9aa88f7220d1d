import type { Answer } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';
import { upload } from '../support/upload-setup';

/** One of the two sides of a race; it is called several times at once, with the number of the call. */
type Side = (call: number) => Promise<Answer>;

/** Two operations that get in each other's way, on things that were made for them. */
export type Race = (app: TestApp, round: string) => Promise<readonly [Side, Side]>;

const NAMES = ['mia', 'max', 'adam'] as const;
const callerOf = (app: TestApp, call: number): Member => app.cast[NAMES[call % NAMES.length] as 'mia'];

async function ground(app: TestApp, round: string) {
  const { mia, max, adam } = app.cast;
  const name = `race ${round}`;
  const channel = await createChannel(app, mia, name, { principals: [mia.id, max.id, adam.id] });
  const message = await sendTo(app, mia, channel, 'topic', 'first');
  const send: Side = (call) =>
    app
      .as(callerOf(app, call))
      .post('/messages', { type: 'channel', to: channel, topic: 'topic', content: 'x' });
  return { name, channel, message, send };
}

/** By name; whichever side comes first, both have to be settled. */
export const RACES: Readonly<Record<string, Race>> = {
  'send, and archive the channel': async (app, round) => {
    const { channel, send } = await ground(app, round);
    return [send, () => app.as(app.cast.olivia).delete(`/streams/${channel}`)];
  },
  'send, and delete the topic': async (app, round) => {
    const { channel, send } = await ground(app, round);
    const topic = { topic_name: 'topic' };
    return [send, () => app.as(app.cast.adam).post(`/streams/${channel}/delete_topic`, topic)];
  },
  'send, and move the topic': async (app, round) => {
    const { message, send } = await ground(app, round);
    const moved = (call: number) => ({
      topic: call % 4 < 2 ? 'place' : 'topic',
      propagate_mode: 'change_all',
    });
    return [send, (call) => app.as(app.cast.mia).patch(`/messages/${message}`, moved(call))];
  },
  'send, and leave the channel': async (app, round) => {
    const { name, send } = await ground(app, round);
    const left = { subscriptions: [name] };
    return [send, (call) => app.as(callerOf(app, call)).delete('/users/me/subscriptions', left)];
  },
  'send to somebody, and deactivate them': async (app, round) => {
    const [who] = await strangers(app, round);
    return [
      (call) => app.as(callerOf(app, call)).post('/messages', { type: 'direct', to: [who.id], content: 'x' }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
  'send a file, and delete it': async (app, round) => {
    const { channel } = await ground(app, round);
    const url = await upload(app, app.cast.mia, { name: 'file.txt', content: round });
    const { attachments } = expectSuccess(await app.as(app.cast.mia).get('/attachments'));
    const found = (attachments as { id: number; path_id: string }[]).find(({ path_id }) =>
      url.endsWith(path_id),
    );
    const message = { type: 'channel', to: channel, topic: 'files', content: `[file](${url})` };
    return [
      () => app.as(app.cast.mia).post('/messages', message),
      () => app.as(app.cast.mia).delete(`/attachments/${found?.id}`),
    ];
  },
  'react, and delete the message': async (app, round) => {
    const { message } = await ground(app, round);
    return [react(app, message), () => app.as(app.cast.adam).delete(`/messages/${message}`)];
  },
  'react, and take it back': async (app, round) => {
    const { message } = await ground(app, round);
    const emoji = { emoji_name: 'tada' };
    const takeBack: Side = (call) =>
      app.as(callerOf(app, call)).delete(`/messages/${message}/reactions`, emoji);
    return [react(app, message), takeBack];
  },
  'edit, and delete the message': async (app, round) => {
    const { message } = await ground(app, round);
    return [
      (call) => app.as(app.cast.mia).patch(`/messages/${message}`, { content: `edit ${call}` }),
      () => app.as(app.cast.adam).delete(`/messages/${message}`),
    ];
  },
  'mark as read, and delete the message': async (app, round) => {
    const { message } = await ground(app, round);
    const flags = { op: 'add', flag: 'read', messages: [message] };
    return [
      (call) => app.as(callerOf(app, call)).post('/messages/flags', flags),
      () => app.as(app.cast.adam).delete(`/messages/${message}`),
    ];
  },
  'star a direct message, and delete it': async (app) => {
    const { mia, max, olivia } = app.cast;
    const message = await sendDirect(app, mia, [max]);
    const flags = (call: number) => ({
      op: call % 4 < 2 ? 'add' : 'remove',
      flag: 'starred',
      messages: [message],
    });
    return [
      (call) => app.as(max).post('/messages/flags', flags(call)),
      (call) => app.as(call % 2 ? mia : olivia).delete(`/messages/${message}`),
    ];
  },
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
  'make two people of one address': async (app, round) => {
    const email = `race-${round.replaceAll(' ', '-')}@example.com`;
    const make =
      (by: Member, address: string): Side =>
      (call) =>
        app
          .as(by)
          .post('/users', { email: address, password: 'a lamp in the long night', full_name: `P ${call}` });
    return [
      make(app.cast.olivia, email),
      make(app.cast.olivia, email.toUpperCase().replace('@EXAMPLE.COM', '@example.com')),
    ];
  },
  'take the last owners their roles': async (app, round) => {
    const [who] = await strangers(app, round);
    expectSuccess(await app.as(app.cast.olivia).patch(`/users/${who.id}`, { role: 100 }));
    return [
      () => app.as(app.cast.olivia).patch(`/users/${who.id}`, { role: 400 }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
  'order linkifiers, and remove one': async (app, round) => {
    const { olivia } = app.cast;
    const made: number[] = [];
    for (const part of ['A', 'B'])
      made.push(
        expectSuccess(
          await app.as(olivia).post('/realm/filters', {
            pattern: `${part}${round.replaceAll(' ', 'x')}-(?P<id>[0-9]+)`,
            url_template: 'https://example.com/{id}',
          }),
        ).id,
      );
    const all = expectSuccess(await app.as(olivia).get('/realm/linkifiers')).linkifiers as { id: number }[];
    const ordered = { ordered_linkifier_ids: all.map(({ id }) => id).reverse() };
    return [
      () => app.as(olivia).patch('/realm/linkifiers', ordered),
      () => app.as(olivia).delete(`/realm/filters/${made[0]}`),
    ];
  },
  'change a draft, and delete it': async (app, round) => {
    const { mia } = app.cast;
    const { channel } = await ground(app, round);
    const draft = {
      type: 'stream',
      to: [channel],
      topic: 'topic',
      content: 'draft',
      timestamp: 1_700_000_000,
    };
    const { ids } = expectSuccess(await app.as(mia).post('/drafts', { drafts: [draft] }));
    return [
      (call) => app.as(mia).patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: `draft ${call}` } }),
      () => app.as(mia).delete(`/drafts/${ids[0]}`),
    ];
  },
};

function react(app: TestApp, message: number): Side {
  return (call) => app.as(callerOf(app, call)).post(`/messages/${message}/reactions`, { emoji_name: 'tada' });
}

/** Somebody who is there for one race only. */
async function strangers(app: TestApp, round: string): Promise<[Member]> {
  const deliveryEmail = `stranger-${round.replaceAll(' ', '-')}@example.com`;
  return [await app.addAccount({ deliveryEmail, fullName: `Stranger ${round}`, role: 400 })];
}
