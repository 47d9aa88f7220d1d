import type { Answer } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { giveInOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

/** Who is not in a private channel cannot learn whether there is one of a name, except by making a channel. */

const SECRET = 'Layoffs';
const MISSING = 'Nothing';

let app: TestApp;
let secret: number;
let archived: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, olivia } = app.cast;
  secret = await createChannel(app, mia, SECRET, { invite_only: true });
  archived = await createChannel(app, mia, `${SECRET} 2`, { invite_only: true });
  expectSuccess(await app.as(olivia).delete(`/streams/${archived}`));
});

afterAll(() => app.stop());

type Call = (who: Member, channel: { name: string; id: number }) => Promise<Answer>;

const CALLS: Readonly<Record<string, Call>> = {
  'sending by name': (who, { name }) =>
    app.as(who).post('/messages', { type: 'channel', to: name, topic: 'a', content: 'b' }),
  'sending by ID': (who, { id }) =>
    app.as(who).post('/messages', { type: 'channel', to: id, topic: 'a', content: 'b' }),
  'narrowing by name': (who, { name }) => narrowed(who, { operator: 'channel', operand: name }),
  'narrowing by ID': (who, { id }) => narrowed(who, { operator: 'channel', operand: id }),
  'narrowing by its absence': (who, { name }) =>
    narrowed(who, { operator: 'channel', operand: name, negated: true }),
  'changing flags in a narrow': (who, { name }) =>
    app.as(who).post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: name }],
      op: 'add',
      flag: 'read',
    }),
  'asking for its ID': (who, { name }) => app.as(who).get('/get_stream_id', { stream: name }),
  leaving: (who, { name }) => app.as(who).delete('/users/me/subscriptions', { subscriptions: [name] }),
  'removing others': (who, { name }) =>
    app.as(who).delete('/users/me/subscriptions', { subscriptions: [name], principals: [app.cast.mia.id] }),
  'leaving while joining': (who, { name }) =>
    app.as(who).patch('/users/me/subscriptions', { delete: [name] }),
  'muting a topic': (who, { name }) =>
    app.as(who).patch('/users/me/subscriptions/muted_topics', { stream: name, topic: 'a', op: 'add' }),
  'unmuting a topic': (who, { name }) =>
    app.as(who).patch('/users/me/subscriptions/muted_topics', { stream: name, topic: 'a', op: 'remove' }),
  linking: (who, { name }) =>
    app.as(who).post('/messages/render', { content: `#**${name}** #**${name}>a**` }),
};

function narrowed(who: Member, term: object): Promise<Answer> {
  return app.as(who).get('/messages', { anchor: 'newest', num_before: 5, narrow: [term] });
}

/** What an answer says, without the channel that was asked for. */
function outline({ status, body }: Answer, { name, id }: { name: string; id: number }): string {
  const text = JSON.stringify({ status, body }).replaceAll(name, '?');
  return text.replace(new RegExp(`\\b${id}\\b`, 'g'), '?');
}

describe.each(['max', 'mona', 'gus'] as const)('%s, who is not in a private channel,', (who) => {
  it.each(Object.entries(CALLS))('learns nothing by %s', async (_how, call) => {
    const nothing = { name: MISSING, id: 987_654 };
    const expected = outline(await call(app.cast[who], nothing), nothing);
    for (const asked of [
      { name: SECRET, id: secret },
      { name: SECRET.toLowerCase(), id: secret },
      { name: `${SECRET} 2`, id: archived },
    ]) {
      expect(outline(await call(app.cast[who], asked), asked)).toBe(expected);
    }
  });
});

it.each(['olivia', 'adam'] as const)('%s, who administers it, is told what is the matter', async (who) => {
  const send = CALLS['sending by name'] as Call;
  const answer = await send(app.cast[who], { name: SECRET, id: secret });
  expectError(answer, `Not authorized to send to channel '${SECRET}'`);
  expect((await narrowed(app.cast[who], { operator: 'channel', operand: SECRET })).status).toBe(200);
});

describe('Making a channel of the same name', () => {
  const subscribe = (who: Member, name: string, more: object = {}) =>
    app.as(who).post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
  const create = (who: Member, name: string) =>
    app.as(who).post('/channels/create', { name, description: '', subscribers: [who.id] });

  it('tells those who may make channels that the name is taken, and not how it is written', async () => {
    const { max } = app.cast;
    expectError(await subscribe(max, 'LAYOFFS'), 'Unable to access channel (LAYOFFS).');
    const tolerated = await subscribe(max, ' layoffs ', { authorization_errors_fatal: false });
    expect(expectSuccess(tolerated).unauthorized).toEqual(['layoffs']);
    expectError(await create(max, 'layoffs'), "Channel 'layoffs' already exists", {
      code: 'CHANNEL_ALREADY_EXISTS',
      status: 409,
    });
  });

  it('tells others nothing', async () => {
    const { max } = app.cast;
    await giveInOrganization(app, 'can_create_public_channel_group', 'role:administrators');
    for (const name of [SECRET, MISSING]) {
      expectError(await subscribe(max, name), 'Insufficient permission');
      expectError(
        await subscribe(max, name, { authorization_errors_fatal: false }),
        'Insufficient permission',
      );
      expectError(await create(max, name), 'Insufficient permission');
    }
    await createChannel(app, app.cast.olivia, 'open to all');
    expectSuccess(await subscribe(max, 'open to all'));
    await giveInOrganization(app, 'can_create_public_channel_group', 'role:members');
  });
});
