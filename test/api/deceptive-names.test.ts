import { createChannel } from '../support/channel-setup';
import type { Answer } from '../support/api-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { fetchIds, fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** Names differ by more than what nobody sees, kinds of spaces, and ways to compose characters. */

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** Characters that nobody sees: of no width, turning the direction of writing, filling, marking, breaking the line. */
const HIDDEN = [
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\u200e',
  '\u00ad',
  '\u3164',
  '\ufe0f',
  '\u2028',
  '\u2800',
  '\u115f',
  '\u1160',
  '\uffa0',
];
/** Names in which such characters have a part in what one sees. */
const SEEN = ['👩‍🚀 crew', 'می‌خواهم', 'श्री‌मान', 'team ❤️'];
/** Spaces that look like others: of no break, wide, narrow, of formulas, of ideographs, and two in a row. */
const SPACES = ['\u00a0', '\u2003', '\u202f', '\u205f', '\u3000', '  '];
const SPACED = 'blue sky';
/** A mark that belongs to no letter. */
const LEADING_MARK = '\u0301accent';
const DECOMPOSED = 'Cafe\u0301';
const COMPOSED = 'Café';

const subscribe = (name: string) =>
  app.as(app.cast.mia).post('/users/me/subscriptions', { subscriptions: [{ name }] });

/** Holds requests with a name to what is refused, what is taken, and the form in which it is stored. */
async function expectNamesOf(
  request: (name: string) => Promise<Answer>,
  refusal: (position: number) => string,
  names: () => Promise<readonly string[]>,
): Promise<void> {
  for (const character of HIDDEN) {
    expectError(await request(`gen${character}eral`), refusal(4));
  }
  for (const name of SEEN) {
    expectSuccess(await request(name));
    await expect(names()).resolves.toContain(name);
  }
  expectError(await request('\u2800'), expect.any(String));
  expectError(await request(LEADING_MARK), refusal(1));
  expectError(await request(` ${LEADING_MARK}`), refusal(1));
  for (const space of SPACES) {
    await request(`\u2003blue${space}sky\u00a0`);
    const found = await names();
    expect(found).toContain(SPACED);
    expect(found.filter((name) => /blue.+sky/su.test(name))).toHaveLength(1);
  }
  expectSuccess(await request(DECOMPOSED));
  await expect(names()).resolves.toContain(COMPOSED);
}

it('Names of people', async () => {
  const { olivia, mia } = app.cast;
  const names = async () => [
    expectSuccess(await app.as(olivia).get(`/users/${mia.id}`)).user.full_name as string,
  ];
  const refusal = () => 'Invalid characters in name!';
  await expectNamesOf((full_name) => app.as(olivia).patch(`/users/${mia.id}`, { full_name }), refusal, names);
  await expectNamesOf((full_name) => app.as(mia).patch('/settings', { full_name }), refusal, names);
  expectSuccess(await app.as(mia).patch('/settings', { full_name: mia.fullName }));
});

it('Names of bots', async () => {
  const { mia, robo } = app.cast;
  await expectNamesOf(
    (full_name) => app.as(mia).patch(`/bots/${robo.id}`, { full_name }),
    () => 'Invalid characters in name!',
    async () => [expectSuccess(await app.as(mia).get(`/users/${robo.id}`)).user.full_name as string],
  );
  const answer = await app.as(mia).post('/bots', { full_name: 'A\u200bB', short_name: 'ab' });
  expectError(answer, 'Invalid characters in name!');
});

it('Names of channels', async () => {
  const { mia } = app.cast;
  const names = async () =>
    expectSuccess(await app.as(mia).get('/streams')).streams.map(({ name }: { name: string }) => name);
  const refusal = (position: number) => `Invalid character in channel name, at position ${position}.`;
  await expectNamesOf(subscribe, refusal, names);
  expect(expectSuccess(await subscribe(DECOMPOSED.toUpperCase())).already_subscribed).toEqual({
    [mia.id]: [COMPOSED],
  });
  await expect(fetchIds(app, mia, [{ operator: 'channel', operand: DECOMPOSED }])).resolves.toEqual(
    expect.any(Array),
  );
  const id = await createChannel(app, mia, 'renamed');
  expectError(await app.as(mia).patch(`/streams/${id}`, { new_name: 'a\u202eb' }), refusal(2));
});

it('Names of user groups', async () => {
  const { mia } = app.cast;
  const names = async () =>
    expectSuccess(await app.as(mia).get('/user_groups')).user_groups.map(
      ({ name }: { name: string }) => name,
    );
  const refusal = (position: number) => `Invalid character in user group name, at position ${position}.`;
  await expectNamesOf(
    (name) => app.as(mia).post('/user_groups/create', { name, description: '', members: [] }),
    refusal,
    names,
  );
  const id = await makeGroup(app, mia, 'renamed');
  expectError(await app.as(mia).patch(`/user_groups/${id}`, { name: 'a\u200bb' }), refusal(2));
  expectError(
    await app.as(mia).patch(`/user_groups/${id}`, { name: DECOMPOSED }),
    `User group '${COMPOSED}' already exists.`,
  );
});

it('Names of channel folders', async () => {
  const { olivia } = app.cast;
  await expectNamesOf(
    (name) => app.as(olivia).post('/channel_folders/create', { name, description: '' }),
    (position) => `Invalid character in channel folder name, at position ${position}.`,
    async () =>
      expectSuccess(await app.as(olivia).get('/channel_folders')).channel_folders.map(
        ({ name }: { name: string }) => name,
      ),
  );
});

it('Names of profile fields', async () => {
  const { olivia } = app.cast;
  await expectNamesOf(
    (name) => app.as(olivia).post('/realm/profile_fields', { name, field_type: 1 }),
    (position) => `Invalid character in name, at position ${position}.`,
    async () =>
      expectSuccess(await app.as(olivia).get('/realm/profile_fields')).custom_fields.map(
        ({ name }: { name: string }) => name,
      ),
  );
  const [{ id }] = expectSuccess(await app.as(olivia).get('/realm/profile_fields')).custom_fields;
  expectError(
    await app.as(olivia).patch(`/realm/profile_fields/${id}`, { name: 'a\u2800b' }),
    'Invalid character in name, at position 2.',
  );
});

it('Titles of saved snippets', async () => {
  const { mia } = app.cast;
  const refusal = (position: number) => `Invalid character in title, at position ${position}.`;
  const titles = async () =>
    expectSuccess(await app.as(mia).get('/saved_snippets')).saved_snippets.map(
      ({ title }: { title: string }) => title,
    );
  const { saved_snippet_id: id } = expectSuccess(
    await app.as(mia).post('/saved_snippets', { title: 'lunch', content: 'x' }),
  );
  expectError(await app.as(mia).post('/saved_snippets', { title: 'a\u200bb', content: 'x' }), refusal(2));
  await expectNamesOf((title) => app.as(mia).patch(`/saved_snippets/${id}`, { title }), refusal, titles);
});

it('Names of views in the left sidebar', async () => {
  const { mia } = app.cast;
  const path = '/navigation_views';
  const refusal = (position: number) => `Invalid character in name, at position ${position}.`;
  const names = async () =>
    expectSuccess(await app.as(mia).get(path)).navigation_views.map(({ name }: { name: string }) => name);
  const view = { fragment: 'narrow/is/alerted', is_pinned: true };
  expectError(await app.as(mia).post(path, { ...view, name: 'a\u200bb' }), refusal(2));
  expectSuccess(await app.as(mia).post(path, { ...view, name: 'words' }));
  await expectNamesOf((name) => app.as(mia).patch(`${path}/${view.fragment}`, { name }), refusal, names);
});

it('The name of the organization', async () => {
  const { olivia } = app.cast;
  await expectNamesOf(
    (name) => app.as(olivia).patch('/realm', { name }),
    (position) => `Invalid character in name, at position ${position}.`,
    async () => [(await app.client().get('/server_settings')).body.realm_name as string],
  );
});

it('Names of emoji are plain letters', async () => {
  const answer = await app
    .as(app.cast.mia)
    .upload(`/realm/emoji/${encodeURIComponent('par\u200bty')}`, { name: 'a.png', content: 'x' });
  expect(answer.status).toBe(400);
});

describe('A topic', () => {
  it('loses what nobody sees, as programs copy it from titles unawares', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'topics');
    const first = await sendTo(app, mia, channel, 'lunch');
    for (const character of HIDDEN.filter((each) => each !== '\u2028')) {
      const id = await sendTo(app, mia, channel, `lu${character}nch`);
      expect((await fetchMessage(app, mia, id)).subject).toBe('lunch');
    }
    for (const name of ['\u2003lunch\u00a0', '\u0301lunch', '\u2800\u0301\u2800 lunch']) {
      const id = await sendTo(app, mia, channel, name);
      expect((await fetchMessage(app, mia, id)).subject).toBe('lunch');
    }
    for (const space of SPACES) {
      const id = await sendTo(app, mia, channel, `blue${space}sky`);
      expect((await fetchMessage(app, mia, id)).subject).toBe(SPACED);
      const narrow = [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand: `blue${space}sky` },
      ];
      await expect(fetchIds(app, mia, narrow)).resolves.toContain(id);
    }
    expectSuccess(await app.as(mia).patch(`/messages/${first}`, { topic: 'din\u200bner' }));
    expect((await fetchMessage(app, mia, first)).subject).toBe('dinner');
    for (const name of SEEN) {
      expect((await fetchMessage(app, mia, await sendTo(app, mia, channel, name))).subject).toBe(name);
    }
  });

  it('is one however its characters are composed', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'more topics');
    const ids = [await sendTo(app, mia, channel, COMPOSED), await sendTo(app, mia, channel, DECOMPOSED)];
    for (const operand of [COMPOSED, DECOMPOSED]) {
      const narrow = [
        { operator: 'channel', operand: channel },
        { operator: 'topic', operand },
      ];
      await expect(fetchIds(app, mia, narrow)).resolves.toEqual(ids);
    }
  });
});
