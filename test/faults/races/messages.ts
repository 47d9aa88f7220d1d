import { expectSuccess } from '../../support/expect-answer';
import { fetchMessages, sendDirect, sendTo } from '../../support/message-setup';
import type { TestApp } from '../../support/test-app';
import { upload } from '../../support/upload-setup';
import { callerOf, ground, type Races, type Side } from './race';

/** What befalls messages, and what is said about them. */
export const MESSAGE_RACES: Races = {
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
  'edit a message, twice': async (app, round) => {
    const { message } = await ground(app, round);
    const edit: Side = (call) => app.as(app.cast.mia).patch(`/messages/${message}`, { content: `${call}` });
    return [edit, edit];
  },
  'edit a message, and move its topic': async (app, round) => {
    const { message } = await ground(app, round);
    const moved = { topic: 'place', propagate_mode: 'change_all' };
    return [
      (call) => app.as(app.cast.mia).patch(`/messages/${message}`, { content: `edit ${call}` }),
      () => app.as(app.cast.adam).patch(`/messages/${message}`, moved),
    ];
  },
  'put two topics into each other': async (app, round) => {
    const { channel, message } = await ground(app, round);
    const second = await sendTo(app, app.cast.max, channel, 'second', 'first');
    const move =
      (id: number, topic: string): Side =>
      () =>
        app.as(app.cast.adam).patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    return [
      move(message, 'second'),
      move(second, 'topic'),
      async () => {
        const narrow = [{ operator: 'channel', operand: channel }];
        const { messages } = expectSuccess(await fetchMessages(app, app.cast.mia, narrow));
        const ids = (messages as { id: number }[]).map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining([message, second]));
      },
    ];
  },
  'move a topic, and delete it': async (app, round) => {
    const { channel, message } = await ground(app, round);
    const moved = { topic: 'place', propagate_mode: 'change_all' };
    return [
      () => app.as(app.cast.mia).patch(`/messages/${message}`, moved),
      () => app.as(app.cast.adam).post(`/streams/${channel}/delete_topic`, { topic_name: 'topic' }),
    ];
  },
  'name a file in an edit, and delete it': async (app, round) => {
    const { message } = await ground(app, round);
    const url = await upload(app, app.cast.mia, { name: 'file.txt', content: round });
    const { attachments } = expectSuccess(await app.as(app.cast.mia).get('/attachments'));
    const found = (attachments as { id: number; path_id: string }[]).find(({ path_id }) =>
      url.endsWith(path_id),
    );
    return [
      (call) => app.as(app.cast.mia).patch(`/messages/${message}`, { content: `[${call}](${url})` }),
      () => app.as(app.cast.mia).delete(`/attachments/${found?.id}`),
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
  'mark a topic as read, and move it': async (app, round) => {
    const { channel, message } = await ground(app, round);
    const moved = (call: number) => ({
      topic: call % 4 < 2 ? 'place' : 'topic',
      propagate_mode: 'change_all',
    });
    const read = { stream_id: channel, topic_name: 'topic' };
    return [
      () => app.as(app.cast.max).post('/mark_topic_as_read', read),
      (call) => app.as(app.cast.mia).patch(`/messages/${message}`, moved(call)),
    ];
  },
  'follow a topic, and move it': async (app, round) => {
    const { channel, message } = await ground(app, round);
    const policy = { stream_id: channel, topic: 'topic', visibility_policy: 3 };
    const moved = { topic: 'place', propagate_mode: 'change_all' };
    return [
      (call) => app.as(callerOf(app, call)).post('/user_topics', policy),
      () => app.as(app.cast.mia).patch(`/messages/${message}`, moved),
    ];
  },
  'vote in a poll, and delete it': async (app, round) => {
    const { channel } = await ground(app, round);
    const poll = await sendTo(app, app.cast.mia, channel, 'polls', '/poll Lunch?\nsoup\nbread');
    const vote = (call: number) => ({
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: `canned,${call % 2}`, vote: 1 }),
    });
    return [
      (call) => app.as(callerOf(app, call)).post('/submessage', vote(call)),
      () => app.as(app.cast.adam).delete(`/messages/${poll}`),
    ];
  },
  'report a message, and delete it': async (app, round) => {
    const { message } = await ground(app, round);
    return [
      () => app.as(app.cast.max).post(`/messages/${message}/report`, { report_type: 'spam' }),
      () => app.as(app.cast.adam).delete(`/messages/${message}`),
    ];
  },
};

function react(app: TestApp, message: number): Side {
  return (call) => app.as(callerOf(app, call)).post(`/messages/${message}/reactions`, { emoji_name: 'tada' });
}
