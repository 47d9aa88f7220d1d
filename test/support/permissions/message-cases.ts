import { TransactionService } from '../../../src/platform/database/transaction.service';
import type { Answer, Parameters } from '../api-client';
import { createChannel } from '../channel-setup';
import { sendDirect, sendTo } from '../message-setup';
import { changeOrganization } from '../organization-setup';
import type { Actor } from './actors';
import type { Case, CaseMaker, CaseTable, World } from './case';
import { onChannels, type Trial } from './channel-cases';
import { NO_CHANNEL, TOPIC, type Channel } from './channels';
import { outcomeOf, type Expectation, type Outcome, type Target } from './outcome';
import { all } from './plain-cases';

/** A test message. */
interface MessageTarget extends Target {
  /** Its channel, if it is in one. */
  readonly channel: Channel | null;
}

/** An action tried on a message. */
interface MessageTrial extends Pick<Expectation<MessageTarget>, 'isList'> {
  call(actor: Actor, message: MessageTarget, world: World): Promise<Answer>;
  isDone?(answer: Answer, message: MessageTarget, actor: Actor): boolean;
  /** Prepares the action. */
  prepare?(actor: Actor, message: MessageTarget, world: World): Promise<void>;
  readonly set?: string;
  /** Whether the action deletes the message, so that the next one needs another. */
  readonly uses?: true;
}

type Choice = (channel: Channel, actor: Actor) => number;

const NO_MESSAGE: MessageTarget = { id: NO_CHANNEL.later, channel: NO_CHANNEL };

function inChannels(
  prefix: string,
  trial: MessageTrial,
  choose: Choice,
  more: Partial<Trial> = {},
): CaseMaker {
  /** Messages that replace deleted ones, by channel. */
  const others = new Map<Channel, number>();
  const gone = new Set<Channel>();
  const target = (channel: Channel, actor: Actor): MessageTarget =>
    channel === NO_CHANNEL ? NO_MESSAGE : { id: others.get(channel) ?? choose(channel, actor), channel };
  return onChannels(prefix, {
    ...more,
    set: trial.set,
    isList: trial.isList,
    async call(actor, channel, world) {
      if (gone.delete(channel)) others.set(channel, await sendTo(world.app, world.host, channel.id, TOPIC));
      const message = target(channel, actor);
      if (channel !== NO_CHANNEL) await trial.prepare?.(actor, message, world);
      return trial.call(actor, message, world);
    },
    isDone(answer, channel, actor) {
      const isDone = trial.isDone?.(answer, target(channel, actor), actor) ?? true;
      if (isDone && trial.uses) gone.add(channel);
      return isDone;
    },
  });
}

/** Direct messages: from the host to the caller, and from the host to another person. */
function direct(prefix: string, trial: MessageTrial): CaseMaker {
  return (world): Case[] => [
    {
      about: [prefix, 'direct message'].filter((part) => part !== '').join('; '),
      async try(actor) {
        const outcomes: Outcome[] = [];
        for (const recipient of actor.account ? [actor.account, actor.friend] : [actor.friend]) {
          const id = await sendDirect(world.app, world.host, [recipient], 'hello');
          const message: MessageTarget = { id, channel: null };
          await trial.prepare?.(actor, message, world);
          outcomes.push(
            await outcomeOf(
              (target: MessageTarget) => trial.call(actor, target, world),
              message,
              { ...NO_MESSAGE, channel: null },
              { ...trial, isDone: (answer, target) => trial.isDone?.(answer, target, actor) ?? true },
            ),
          );
        }
        return [...new Set(outcomes)].join('/');
      },
    },
  ];
}

/** Tries an action on messages of others everywhere. */
function onMessages(prefix: string, trial: MessageTrial): CaseMaker {
  const before = [prefix, 'from before'].filter((part) => part !== '').join('; ');
  return all(
    inChannels(prefix, trial, ({ later }) => later),
    inChannels(before, trial, ({ earlier }) => earlier, { kinds: ['private channel, protected history'] }),
    direct(prefix, trial),
  );
}

/** Tries an action on the caller's own messages. Anonymous callers have none. */
function onOwnMessages(trial: MessageTrial): CaseMaker {
  const choose: Choice = ({ own, later }, { name }) => own.get(name) ?? later;
  return inChannels('own', trial, choose, { own: true });
}

const REACTION = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };

/** Adds what anonymous readers must send. */
const spectating = (actor: Actor, narrow: readonly unknown[]) =>
  actor.account ? narrow : [...narrow, { operator: 'channels', operand: 'web-public' }];

const fetched = ({ body }: Answer, { id }: Target): boolean =>
  body.messages.some((message: { id: number }) => message.id === id);

const fetchAround = (actor: Actor, narrow: readonly unknown[], more: Parameters = {}) =>
  actor.client.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: spectating(actor, narrow),
    ...more,
  });

export const MESSAGE_CASES: CaseTable = {
  'GET /messages': all(
    onMessages('narrowed to the channel', {
      call: (actor, { channel }) =>
        fetchAround(
          actor,
          channel ? [{ operator: 'channel', operand: channel.id }] : [{ operator: 'is', operand: 'dm' }],
        ),
      isDone: fetched,
    }),
    onMessages('all', {
      call: (actor) => fetchAround(actor, [], { num_before: 5000 }),
      isDone: fetched,
      isList: true,
    }),
    onMessages('by ID', {
      call: ({ client }, { id }) => client.get('/messages', { message_ids: [id] }),
      isDone: fetched,
    }),
  ),
  'GET /messages/{message_id}': onMessages('', {
    call: ({ client }, { id }) => client.get(`/messages/${id}`),
  }),
  'GET /messages/{message_id}/history': onMessages('', {
    call: ({ client }, { id }) => client.get(`/messages/${id}/history`),
  }),
  'GET /messages/matches_narrow': onMessages('', {
    call: ({ client }, { id }) => client.get('/messages/matches_narrow', { msg_ids: [id], narrow: [] }),
    isDone: ({ body }, { id }) => Object.keys(body.messages).includes(String(id)),
  }),
  'PATCH /messages/{message_id}': all(
    onMessages('content', {
      call: ({ client, name }, { id }) => client.patch(`/messages/${id}`, { content: `by ${name}` }),
    }),
    onOwnMessages({
      call: ({ client }, { id }) => client.patch(`/messages/${id}`, { content: 'new' }),
      set: 'own messages',
    }),
    onMessages('topic', {
      call: ({ client, name }, { id }) => client.patch(`/messages/${id}`, { topic: `by ${name}` }),
      set: 'messages moved',
    }),
    onMessages('out of the channel', {
      call: async ({ client }, { id }, { channels }) => {
        const { id: stream_id } = await channels.get('', 'public channel', 'subscribed');
        return client.patch(`/messages/${id}`, { stream_id });
      },
      set: 'messages moved out',
      uses: true,
    }),
    onChannels('into the channel', {
      async call({ client }, { id }, { app, host, channels }) {
        const from = await channels.get('messages moved away', 'public channel', 'subscribed');
        const message = await sendTo(app, host, from.id, 'to be moved');
        return client.patch(`/messages/${message}`, { stream_id: id });
      },
    }),
  ),
  'DELETE /messages/{message_id}': all(
    onMessages('', {
      call: ({ client }, { id }) => client.delete(`/messages/${id}`),
      set: 'messages deleted',
      uses: true,
    }),
    onOwnMessages({
      call: ({ client }, { id }) => client.delete(`/messages/${id}`),
      set: 'own messages deleted',
    }),
  ),
  'POST /messages/flags': onMessages('', {
    call: ({ client }, { id }) =>
      client.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    isDone: ({ body }, { id }) => body.messages.includes(id),
  }),
  'POST /messages/{message_id}/reactions': onMessages('', {
    call: ({ client }, { id }) => client.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }),
  }),
  'DELETE /messages/{message_id}/reactions': onMessages('', {
    async prepare({ account }, { id }, { app }) {
      const { emoji_name, emoji_code, reaction_type } = REACTION;
      if (!account) return;
      await app.get(TransactionService).run((tx) =>
        tx.query(
          `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
           VALUES (?, ?, ?, ?, ?)`,
          [id, account.id, reaction_type, emoji_code, emoji_name],
        ),
      );
    },
    call: ({ client }, { id }) => client.delete(`/messages/${id}/reactions`, REACTION),
  }),
  'POST /messages/{message_id}/typing': all(
    onMessages('', {
      call: ({ client }, { id }) => client.post(`/messages/${id}/typing`, { op: 'start' }),
    }),
    onOwnMessages({
      call: ({ client }, { id }) => client.post(`/messages/${id}/typing`, { op: 'start' }),
      set: 'own messages',
    }),
  ),
  'POST /messages/{message_id}/report': async (world) => {
    const { app } = world;
    const channel = await createChannel(app, app.cast.olivia, 'for reports', { invite_only: true });
    await changeOrganization(app, { moderation_request_channel_id: channel });
    return onMessages('', {
      call: ({ client }, { id }) => client.post(`/messages/${id}/report`, { report_type: 'norms' }),
    })(world);
  },
  'POST /submessage': onMessages('', {
    async prepare({ account }, { id }, { app, host }) {
      if (!account) return;
      await app
        .get(TransactionService)
        .run((tx) =>
          tx.query(
            `INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', '{}')`,
            [id, host.id],
          ),
        );
    },
    call: ({ client }, { id }) =>
      client.post('/submessage', { message_id: id, msg_type: 'widget', content: '{}' }),
  }),
  'POST /reminders': onMessages('', {
    call: ({ client }, { id }) =>
      client.post('/reminders', { message_id: id, scheduled_delivery_timestamp: 4_000_000_000 }),
  }),
  'GET /messages/{message_id}/read_receipts': onMessages('', {
    call: ({ client }, { id }) => client.get(`/messages/${id}/read_receipts`),
  }),
  'POST /messages/flags/narrow': onMessages('', {
    call: ({ client }, { channel, id }) =>
      client.post('/messages/flags/narrow', {
        anchor: `${id}`,
        num_before: 0,
        num_after: 0,
        narrow: channel
          ? [{ operator: 'channel', operand: channel.id }]
          : [{ operator: 'is', operand: 'dm' }],
        op: 'add',
        flag: 'collapsed',
      }),
    isDone: ({ body }) => body.updated_count > 0,
  }),
  'GET /user_uploads/{realm_id}/{folder}/{key}/{name}': onChannels('', {
    call: ({ client }, { file }) => client.get(file),
  }),
  'GET {site}/user_uploads/download/{realm_id}/{folder}/{key}/{name}': onChannels('', {
    call: ({ client }, { file }) =>
      client.send({ method: 'GET', url: file.replace('/user_uploads/', '/user_uploads/download/') }),
  }),
  'GET {site}/user_uploads/thumbnail/{realm_id}/{folder}/{key}/{name}/{format}': onChannels('', {
    call: ({ client }, { file }) =>
      client.send({
        method: 'GET',
        url: `${file.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`,
      }),
  }),
  'GET /thumbnail/status/{realm_id}/{folder}/{key}/{name}': onChannels('', {
    call: ({ client }, { file }) => client.get(file.replace('/user_uploads/', '/thumbnail/status/')),
  }),
  'GET {site}/user_uploads/{realm_id}/{folder}/{key}/{name}': onChannels('', {
    call: ({ client }, { file }) => client.send({ method: 'GET', url: file }),
  }),
};
