import { lockChannels } from '../../src/features/channels/store/channel.directory';
import { type Transaction, TransactionService } from '../../src/platform/database/transaction.service';
import type { Answer, Method, Parameters } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { untilWritesAreIn } from '../support/waiting-writes';

/** What becomes of a request whose author loses a role, or a permission, while it waits for its turn. */

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'roles change behind the interface, in the middle of requests' });
  channel = await createChannel(app, app.cast.adam, 'place');
});

afterAll(() => app.stop());

/** Sends a request, and changes something before its turn comes, which is after whatever keeps the channel or the message. */
async function preceded(
  change: (tx: Transaction) => Promise<void>,
  request: () => Promise<Answer>,
  held: { readonly table: 'channel' | 'message'; readonly id: number } = { table: 'channel', id: channel },
): Promise<Answer> {
  const { sent } = await app.get(TransactionService).runExclusive(async (tx) => {
    if (held.table === 'channel') await lockChannels(tx, [held.id], 'alone');
    else await tx.query('UPDATE message SET id = id WHERE id = ?', [held.id]);
    const sent = request();
    await untilWritesAreIn(app);
    await change(tx);
    return { sent };
  });
  return sent;
}

/** Sends a request, and changes its author before its turn comes. */
async function overtaken(
  change: string,
  request: () => Promise<Answer>,
  heldChannel = channel,
): Promise<Answer> {
  const { adam } = app.cast;
  const author = async (tx: Transaction) => {
    await tx.query(`UPDATE account SET ${change} WHERE id = ?`, [adam.id]);
    tx.touch('accounts', [adam.id]);
  };
  const result = await preceded(author, request, { table: 'channel', id: heldChannel });
  await changeAccount(app, adam, { role: adam.role, isActive: true });
  return result;
}

const send = (method: Method, path: string, parameters: Parameters = {}) =>
  app.as(app.cast.adam).call(method, path, parameters);

const LINKIFIER = { pattern: 'a(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
const PLAYGROUND = { name: 'Play', pygments_language: 'Python', url_template: 'https://example.com/{code}' };

const ADMINISTRATION: readonly (readonly [Method, string, Parameters])[] = [
  ['POST', '/realm/filters', LINKIFIER],
  ['PATCH', '/realm/filters/1', LINKIFIER],
  ['DELETE', '/realm/filters/1', {}],
  ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [] }],
  ['POST', '/realm/playgrounds', PLAYGROUND],
  ['DELETE', '/realm/playgrounds/1', {}],
  ['POST', '/realm/profile_fields', { name: 'Field', field_type: 1 }],
  ['PATCH', '/realm/profile_fields', { order: [] }],
  ['PATCH', '/realm/profile_fields/1', { name: 'Other' }],
  ['DELETE', '/realm/profile_fields/1', {}],
  ['POST', '/channel_folders/create', { name: 'Folder', description: '' }],
  ['PATCH', '/channel_folders', { order: [] }],
  ['PATCH', '/channel_folders/1', { name: 'Other' }],
  ['PATCH', '/realm', { name_changes_disabled: true }],
];

describe('Somebody who is an administrator no longer when the turn of a request comes', () => {
  it.each(ADMINISTRATION)('is refused: %s %s', async (method, path, parameters) => {
    const answer = await overtaken('role = 400', () => send(method, path, parameters));
    expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  it('is refused where a channel is meant', async () => {
    const refusal = ['Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await overtaken('role = 400', () =>
        send(method, '/default_streams', { stream_id: channel }),
      );
      expectError(answer, ...refusal);
    }
    expectError(await overtaken('role = 400', () => send('DELETE', `/streams/${channel}`)), ...refusal);
    const other = await createChannel(app, app.cast.mia, 'another place');
    const change = () => send('PATCH', `/streams/${other}`, { description: 'mine now' });
    expectError(
      await overtaken('role = 400', change),
      'You do not have permission to administer this channel.',
    );
  });

  it('enters nothing in a profile field that is for administrators', async () => {
    const field = { name: 'Badge', field_type: 1, editable_by_user: false };
    const { id } = expectSuccess(await app.as(app.cast.olivia).post('/realm/profile_fields', field));
    const enter = () => send('PATCH', '/users/me/profile_data', { data: [{ id, value: '7' }] });
    const answer = await overtaken('role = 400', enter);
    expectError(answer, 'You are not allowed to change this field. Contact an administrator to update it.');
    expectSuccess(await enter());
  });
});

describe('Somebody whom a permission no longer names when the turn of a request comes', () => {
  it('makes no channel, no bot and no emoji', async () => {
    const create = () => send('POST', '/channels/create', { name: 'late', subscribers: [] });
    expect((await overtaken('role = 600', create)).status).toBe(400);
    const bot = () => send('POST', '/bots', { full_name: 'Late', short_name: 'late', bot_type: 1 });
    expect((await overtaken('role = 600', bot)).status).toBe(400);
    const emoji = (name: string) => () =>
      app.as(app.cast.adam).upload(`/realm/emoji/${name}`, { name: 'p.png', content: PICTURE });
    expectError(await overtaken('role = 600', emoji('late')), 'Insufficient permission');
    expect((await overtaken('role = 400', emoji('tada'))).status).toBe(400);
  });
});

describe('Somebody who may not mention a group any more when the turn of a message comes', () => {
  const refusal = "You are not allowed to mention user group 'cooks'.";
  let group: number;

  beforeAll(async () => {
    group = await makeGroup(app, app.cast.adam, 'cooks', { can_mention_group: peopleAlone(app.cast.adam) });
  });

  const withdrawn = async (tx: Transaction) => {
    const nobody = systemGroupId(app, 'role:nobody');
    await tx.query('UPDATE user_group SET can_mention_group = ? WHERE id = ?', [nobody, group]);
    tx.touch('groups', [group]);
  };
  const granted = async () => {
    const { adam } = app.cast;
    const change = { can_mention_group: { new: peopleAlone(adam) } };
    expectSuccess(await app.as(app.cast.olivia).patch(`/user_groups/${group}`, change));
  };

  it('does not send it', async () => {
    const to = { type: 'channel', to: channel, topic: 'lunch' };
    const sent = await preceded(withdrawn, () => send('POST', '/messages', { ...to, content: '@*cooks*' }));
    expectError(sent, refusal);
    await granted();
    expectSuccess(await send('POST', '/messages', { ...to, content: '@*cooks*' }));
  });

  it('does not put the mention into it', async () => {
    const { adam } = app.cast;
    const id = await sendTo(app, adam, channel, 'lunch', 'soup');
    const edit = () => send('PATCH', `/messages/${id}`, { content: '@*cooks*' });
    expectError(await preceded(withdrawn, edit), refusal);
    const { content } = await fetchMessage(app, adam, id);
    expect(content).toBe('<p>soup</p>');
    await granted();
    expectSuccess(await edit());
  });

  it('does not put the mention into a direct message', async () => {
    const { adam, mia } = app.cast;
    const id = await sendDirect(app, adam, [mia], 'soup');
    const edit = () => send('PATCH', `/messages/${id}`, { content: '@*cooks*' });
    expectError(await preceded(withdrawn, edit, { table: 'message', id }), refusal);
    await granted();
  });
});

describe('Somebody who is a guest when the turn of a request comes', () => {
  it('changes and deletes no message that only others can see', async () => {
    const { adam } = app.cast;
    const open = await createChannel(app, app.cast.mia, 'open place');
    for (const [method, parameters] of [
      ['PATCH', { content: 'late' }],
      ['DELETE', {}],
    ] as const) {
      const id = await sendTo(app, adam, open, 'lunch', 'soup');
      const request = () => send(method, `/messages/${id}`, parameters);
      const answer = await overtaken('role = 600', request, open);
      expectError(answer, 'Invalid message(s)');
    }
  });
});

it('Somebody who is deactivated when the turn of a request comes does nothing', async () => {
  for (const [method, path, parameters] of ADMINISTRATION) {
    const answer = await overtaken('is_active = false', () => send(method, path, parameters));
    expectError(answer, 'Account is deactivated', { status: 401, code: 'UNAUTHORIZED' });
  }
});

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
