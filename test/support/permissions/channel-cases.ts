import type { Answer } from '../api-client';
import type { TestApp } from '../test-app';
import { callService } from '../webhooks/call-service';
import { addBot, type Actor } from './actors';
import type { Case, CaseMaker, CaseTable, World } from './case';
import {
  CHANNEL_KINDS,
  maySee,
  NO_CHANNEL,
  RELATIONS,
  TOPIC,
  type Channel,
  type ChannelKind,
} from './channels';
import { outcomeOf, type Expectation, type Outcome } from './outcome';
import { all, plain } from './plain-cases';

/** Sends a service's request with a caller's key. */
function callAs({ account, client }: Actor, app: TestApp, address = {}): Promise<Answer> {
  const request = { address: { ...address, topic: 'other' }, payload: {} };
  return account ? callService(app, account, 'helloworld', request) : client.post('/external/helloworld');
}

/** An action tried on a channel. */
export interface Trial extends Pick<Expectation<Channel>, 'isList' | 'mayTellName'> {
  call(actor: Actor, channel: Channel, world: World): Promise<Answer>;
  /** Whether a success had the effect. */
  isDone?(answer: Answer, channel: Channel, actor: Actor): boolean;
  /** The kinds of channels; all by default. */
  readonly kinds?: readonly ChannelKind[];
  /** The set of channels: a separate one for actions that change channels or subscriptions. */
  readonly set?: string;
  /** Whether the action consumes its channel. */
  readonly uses?: true;
  /** Whether it would create a missing channel. */
  readonly makes?: true;
  /** Whether it is about the caller's own messages, which people who were never subscribed do not have. */
  readonly own?: true;
}

/** Tries an action on a channel of each kind, as a subscriber and as another person. */
export function onChannels(prefix: string, trial: Trial): CaseMaker {
  const { kinds = CHANNEL_KINDS, own, set = '' } = trial;
  const relations = RELATIONS.filter((relation) => !own || relation !== 'never subscribed');
  return async (world) => {
    const calls = trial.isList ? onceForEach(trial.call) : trial.call;
    const cases: Case[] = [];
    for (const kind of kinds) {
      const attempts: ((actor: Actor) => Promise<Outcome>)[] = [];
      for (const relation of relations) {
        const channel = await world.channels.get(set, kind, relation, own);
        attempts.push(attempt({ ...trial, call: calls }, channel, world));
      }
      cases.push({
        about: [prefix, kind].filter((part) => part !== '').join('; '),
        async try(actor) {
          const outcomes: Outcome[] = [];
          for (const each of attempts) outcomes.push(await each(actor));
          return summary(outcomes);
        },
      });
    }
    return cases;
  };
}

/** A list does not depend on the channel, so it is requested once. */
function onceForEach(call: Trial['call']): Trial['call'] {
  const answers = new Map<Actor, Promise<Answer>>();
  return (actor, channel, world) => {
    const known = answers.get(actor) ?? call(actor, channel, world);
    answers.set(actor, known);
    return known;
  };
}

function attempt(trial: Trial, first: Channel, world: World): (actor: Actor) => Promise<Outcome> {
  let channel = first;
  return async (actor) => {
    const outcome = await outcomeOf(
      (target: Channel) => trial.call(actor, target, world),
      channel,
      trial.makes ? null : NO_CHANNEL,
      {
        isList: trial.isList,
        mayTellName: trial.mayTellName ?? maySee(actor, channel),
        isDone: (answer, target) => trial.isDone?.(answer, target, actor) ?? true,
      },
    );
    if (outcome === 'yes' && trial.uses) channel = await world.channels.make(first.kind, first.relation);
    return outcome;
  };
}

/** Shortens repeated outcomes at the end. */
function summary(outcomes: readonly Outcome[]): string {
  const last = outcomes.findLastIndex((outcome) => outcome !== outcomes.at(-1));
  return outcomes.slice(0, last + 2).join('/');
}

const lists =
  (key: string) =>
  ({ body }: Answer, { id }: Channel): boolean =>
    (body[key] as { stream_id: number }[]).some((each) => each.stream_id === id);

const subscriptions = ({ name }: Channel) => [{ name }];

export const CHANNEL_CASES: CaseTable = {
  'GET /streams': all(
    onChannels('', {
      call: ({ client }) => client.get('/streams', { exclude_archived: false }),
      isDone: lists('streams'),
      isList: true,
    }),
    onChannels('include_all', {
      call: ({ client }) => client.get('/streams', { exclude_archived: false, include_all: true }),
      isDone: lists('streams'),
      isList: true,
    }),
    plain({ include_all_active: ({ client }) => client.get('/streams', { include_all_active: true }) }),
  ),
  'GET /streams/{stream_id}': onChannels('', {
    call: ({ client }, { id }) => client.get(`/streams/${id}`),
  }),
  'GET /streams/{stream_id}/members': onChannels('', {
    call: ({ client }, { id }) => client.get(`/streams/${id}/members`),
  }),
  'GET /streams/{stream_id}/email_address': onChannels('', {
    call: ({ client }, { id }) => client.get(`/streams/${id}/email_address`),
  }),
  'GET /get_stream_id': onChannels('', {
    call: ({ client }, { name }) => client.get('/get_stream_id', { stream: name }),
    mayTellName: true,
  }),
  'PATCH /streams/{stream_id}': all(
    onChannels('description', {
      call: ({ client, name }, { id }) => client.patch(`/streams/${id}`, { description: `by ${name}` }),
    }),
    onChannels('can_subscribe_group', {
      call: ({ client }, { id }, { host }) =>
        client.patch(`/streams/${id}`, {
          can_subscribe_group: { new: { direct_members: [host.id], direct_subgroups: [] } },
        }),
      set: 'can_subscribe_group',
    }),
    onChannels('privacy', {
      call: ({ client }, { id, kind }) =>
        client.patch(`/streams/${id}`, { is_private: !kind.includes('private'), is_web_public: false }),
      set: 'privacy',
      uses: true,
    }),
    onChannels('message_retention_days', {
      call: ({ client }, { id }) => client.patch(`/streams/${id}`, { message_retention_days: 'unlimited' }),
      kinds: ['public channel', 'private channel'],
    }),
  ),
  'DELETE /streams/{stream_id}': onChannels('', {
    call: ({ client }, { id }) => client.delete(`/streams/${id}`),
    set: 'archived by',
    uses: true,
  }),
  'POST /streams/{stream_id}/delete_topic': onChannels('', {
    call: ({ client }, { id }) => client.post(`/streams/${id}/delete_topic`, { topic_name: TOPIC }),
    set: 'delete_topic',
    uses: true,
  }),
  'POST /default_streams': onChannels('', {
    call: ({ client }, { id }) => client.post('/default_streams', { stream_id: id }),
    set: 'default_streams',
    uses: true,
  }),
  'DELETE /default_streams': onChannels('', {
    call: ({ client }, { id }) => client.delete('/default_streams', { stream_id: id }),
  }),
  'GET /users/me/subscriptions': onChannels('', {
    call: ({ client }) => client.get('/users/me/subscriptions'),
    isDone: lists('subscriptions'),
    isList: true,
  }),
  'POST /users/me/subscriptions': all(
    onChannels('oneself', {
      call: ({ client }, channel) =>
        client.post('/users/me/subscriptions', { subscriptions: subscriptions(channel) }),
      mayTellName: true,
      set: 'joined',
      makes: true,
    }),
    onChannels('somebody else', {
      call: ({ client, friend }, channel) =>
        client.post('/users/me/subscriptions', {
          subscriptions: subscriptions(channel),
          principals: [friend.id],
        }),
      mayTellName: true,
      set: 'joined',
      makes: true,
    }),
  ),
  'PATCH /users/me/subscriptions': all(
    onChannels('add', {
      call: ({ client }, channel) => client.patch('/users/me/subscriptions', { add: subscriptions(channel) }),
      mayTellName: true,
      set: 'joined in bulk',
      makes: true,
    }),
    onChannels('delete', {
      call: ({ client }, { name }) => client.patch('/users/me/subscriptions', { delete: [name] }),
      mayTellName: true,
      isDone: ({ body }, { name }) => body.removed.includes(name),
      set: 'left in bulk',
    }),
    onChannels('add somebody else', {
      call: ({ client, friend }, channel) =>
        client.patch('/users/me/subscriptions', { add: subscriptions(channel), principals: [friend.id] }),
      mayTellName: true,
      set: 'joined in bulk',
      makes: true,
    }),
    onChannels('delete somebody else', {
      call: ({ client, friend }, { name }) =>
        client.patch('/users/me/subscriptions', { delete: [name], principals: [friend.id] }),
      mayTellName: true,
      set: 'joined in bulk',
    }),
  ),
  'DELETE /users/me/subscriptions': all(
    onChannels('oneself', {
      call: ({ client }, { name }) => client.delete('/users/me/subscriptions', { subscriptions: [name] }),
      mayTellName: true,
      isDone: ({ body }, { name }) => body.removed.includes(name),
      set: 'left',
    }),
    onChannels('somebody else', {
      call: ({ client, friend }, { name }) =>
        client.delete('/users/me/subscriptions', { subscriptions: [name], principals: [friend.id] }),
      mayTellName: true,
      set: 'joined in bulk',
    }),
    onChannels("one's own bot", {
      call: async ({ client, account, isPerson, friend }, { name }, { app }) => {
        const { id } = await addBot(app, isPerson && account ? account : friend);
        return client.delete('/users/me/subscriptions', { subscriptions: [name], principals: [id] });
      },
      mayTellName: true,
    }),
  ),
  'POST /users/me/subscriptions/properties': onChannels('', {
    call: ({ client }, { id }) =>
      client.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
      }),
  }),
  'PATCH /users/me/subscriptions/{stream_id}': onChannels('', {
    call: ({ client }, { id }) =>
      client.patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '#c0ffee' }),
  }),
  'PATCH /users/me/subscriptions/muted_topics': onChannels('', {
    call: ({ client }, { id }) =>
      client.patch('/users/me/subscriptions/muted_topics', { stream_id: id, topic: TOPIC, op: 'add' }),
  }),
  'POST /user_topics': onChannels('', {
    call: ({ client }, { id }) =>
      client.post('/user_topics', { stream_id: id, topic: TOPIC, visibility_policy: 1 }),
  }),
  'GET /users/me/{stream_id}/topics': onChannels('', {
    call: ({ client }, { id }) => client.get(`/users/me/${id}/topics`),
    isDone: ({ body }) => body.topics.some(({ name }: { name: string }) => name === TOPIC),
  }),
  'POST /mark_stream_as_read': onChannels('', {
    call: ({ client }, { id }) => client.post('/mark_stream_as_read', { stream_id: id }),
  }),
  'POST /mark_topic_as_read': onChannels('', {
    call: ({ client }, { id }) => client.post('/mark_topic_as_read', { stream_id: id, topic_name: TOPIC }),
  }),
  'GET /users/{user_id}/subscriptions/{stream_id}': onChannels('', {
    call: ({ client }, { id }, { host }) => client.get(`/users/${host.id}/subscriptions/${id}`),
  }),
  'GET /users/{user_id}/channels': onChannels('', {
    call: ({ client }, _, { host }) => client.get(`/users/${host.id}/channels`),
    isDone: ({ body }, { id }) => body.subscribed_channel_ids.includes(id),
    isList: true,
  }),
  'POST /external/{integration}': all(
    onChannels('', {
      call: (actor, { id }, { app }) => callAs(actor, app, { stream: String(id) }),
    }),
    plain({ 'to the owner of the bot': (actor, { app }) => callAs(actor, app) }),
  ),
  'POST /messages': all(
    onChannels('', {
      call: ({ client }, { id }) =>
        client.post('/messages', { type: 'channel', to: id, topic: 'other', content: 'hello' }),
    }),
    plain({
      'direct message': ({ client }, { host }) =>
        client.post('/messages', { type: 'direct', to: [host.id], content: 'hello' }),
    }),
  ),
  'POST /messages/render': all(
    onChannels('link to the channel', {
      call: ({ client }, { name }) => client.post('/messages/render', { content: `#**${name}**` }),
      mayTellName: true,
      isDone: ({ body }) => body.rendered.includes('<a '),
    }),
  ),
  'POST /typing': all(
    onChannels('', {
      call: ({ client }, { id }) =>
        client.post('/typing', { type: 'channel', stream_id: id, topic: TOPIC, op: 'start' }),
    }),
    plain({
      'direct message': ({ client }, { host }) =>
        client.post('/typing', { type: 'direct', to: [host.id], op: 'start' }),
    }),
  ),
  'GET /permissions/actions': all(
    onChannels('oneself', {
      call: ({ client, account, friend }, { id }) =>
        client.get('/permissions/actions', { user_id: (account ?? friend).id, channel_id: id }),
    }),
    plain({
      'somebody else': ({ client }, { host }) => client.get('/permissions/actions', { user_id: host.id }),
    }),
  ),
  'GET /permissions/explain': all(
    onChannels('oneself', {
      call: ({ client, account, friend }, { id }) =>
        client.get('/permissions/explain', {
          user_id: (account ?? friend).id,
          action: 'send_message',
          channel_id: id,
        }),
    }),
    plain({
      'somebody else': ({ client }, { host }) =>
        client.get('/permissions/explain', { user_id: host.id, action: 'can_create_groups' }),
    }),
  ),
};
