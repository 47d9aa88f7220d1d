import type { Member } from '../cast';
import { expectSuccess } from '../expect-answer';
import { sendDirect } from '../message-setup';
import type { CaseTable, World } from './case';
import { onChannels } from './channel-cases';
import { TOPIC } from './channels';
import type { Target } from './outcome';
import { all, on, plain, type MakeTarget } from './plain-cases';

/** One's own object and another person's, as targets. */
const ownedBy = (
  make: (owner: Member, world: World) => Promise<number>,
): Readonly<Record<string, MakeTarget>> => {
  const targetOf = async (owner: Member, world: World): Promise<Target> => ({ id: await make(owner, world) });
  return {
    own: ({ account, friend, name }, world) =>
      targetOf(account && name !== 'incoming webhook' ? account : friend, world),
    "somebody else's": (_, world) => targetOf(world.host, world),
  };
};

const SNIPPET = { title: 'lunch', content: 'Soup' };
const SNIPPETS = ownedBy(
  async (owner, { app }) =>
    expectSuccess(await app.as(owner).post('/saved_snippets', SNIPPET)).saved_snippet_id,
);

const draft = (more: object = {}) => ({ type: '', to: [], topic: '', content: 'Soup', ...more });
const DRAFTS = ownedBy(
  async (owner, { app }) =>
    expectSuccess(await app.as(owner).post('/drafts', { drafts: [draft()] })).ids[0] as number,
);

const LATER = 4_000_000_000;
const toThemselves = ({ id }: Member) => ({
  type: 'direct',
  to: [id],
  content: 'Soup',
  scheduled_delivery_timestamp: LATER,
});
const SCHEDULED = ownedBy(
  async (owner, { app }) =>
    expectSuccess(await app.as(owner).post('/scheduled_messages', toThemselves(owner))).scheduled_message_id,
);
const REMINDERS = ownedBy(async (owner, { app }) => {
  const message_id = await sendDirect(app, owner, [owner]);
  const reminder = { message_id, scheduled_delivery_timestamp: LATER };
  return expectSuccess(await app.as(owner).post('/reminders', reminder)).reminder_id;
});

/** Personal contents, such as drafts and reminders. */
export const PERSONAL_CASES: CaseTable = {
  'GET /drafts': on(DRAFTS, ({ client }) => client.get('/drafts'), {
    isDone: ({ body }, { id }) => body.drafts.some((each: Target) => each.id === id),
    isList: true,
  }),
  'POST /drafts': all(
    plain({ 'to nobody': ({ client }) => client.post('/drafts', { drafts: [draft()] }) }),
    onChannels('for the channel', {
      call: ({ client }, { id }) => client.post('/drafts', { drafts: [draft({ type: 'stream', to: [id] })] }),
    }),
    plain({
      'for a person': ({ client }, { host }) =>
        client.post('/drafts', { drafts: [draft({ type: 'private', to: [host.id] })] }),
    }),
  ),
  'PATCH /drafts/{draft_id}': on(DRAFTS, ({ client }, { id }) =>
    client.patch(`/drafts/${id}`, { draft: draft() }),
  ),
  'DELETE /drafts/{draft_id}': on(DRAFTS, ({ client }, { id }) => client.delete(`/drafts/${id}`)),
  'GET /scheduled_messages': on(SCHEDULED, ({ client }) => client.get('/scheduled_messages'), {
    isDone: ({ body }, { id }) =>
      body.scheduled_messages.some(
        (each: { scheduled_message_id: number }) => each.scheduled_message_id === id,
      ),
    isList: true,
  }),
  'POST /scheduled_messages': all(
    onChannels('to the channel', {
      call: ({ client }, { id }) =>
        client.post('/scheduled_messages', {
          type: 'channel',
          to: id,
          topic: TOPIC,
          content: 'Soup',
          scheduled_delivery_timestamp: LATER,
        }),
    }),
    plain({
      'to a person': ({ client }, { host }) => client.post('/scheduled_messages', toThemselves(host)),
    }),
  ),
  'PATCH /scheduled_messages/{scheduled_message_id}': on(SCHEDULED, ({ client }, { id }) =>
    client.patch(`/scheduled_messages/${id}`, { content: 'Bread' }),
  ),
  'DELETE /scheduled_messages/{scheduled_message_id}': on(SCHEDULED, ({ client }, { id }) =>
    client.delete(`/scheduled_messages/${id}`),
  ),
  'GET /reminders': on(REMINDERS, ({ client }) => client.get('/reminders'), {
    isDone: ({ body }, { id }) =>
      body.reminders.some((each: { reminder_id: number }) => each.reminder_id === id),
    isList: true,
  }),
  'DELETE /reminders/{reminder_id}': on(REMINDERS, ({ client }, { id }) => client.delete(`/reminders/${id}`)),
  'GET /saved_snippets': on(SNIPPETS, ({ client }) => client.get('/saved_snippets'), {
    isDone: ({ body }, { id }) => body.saved_snippets.some((each: Target) => each.id === id),
    isList: true,
  }),
  'POST /saved_snippets': plain({ '': ({ client }) => client.post('/saved_snippets', SNIPPET) }),
  'PATCH /saved_snippets/{saved_snippet_id}': on(SNIPPETS, ({ client }, { id }) =>
    client.patch(`/saved_snippets/${id}`, { title: 'dinner' }),
  ),
  'DELETE /saved_snippets/{saved_snippet_id}': on(SNIPPETS, ({ client }, { id }) =>
    client.delete(`/saved_snippets/${id}`),
  ),
};
