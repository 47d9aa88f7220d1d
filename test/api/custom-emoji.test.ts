import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Config } from '../../src/platform/config/config';
import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { gifOfFrames } from '../support/gif';
import { fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let names = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const frame = (color: string, width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: color } });
const picture = () => frame('#00f').png().toBuffer();

/** A picture of two frames. */
async function animation(): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#0f0'].map((color) => frame(color).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
}

const newName = () => `emoji_${++names}`;
const load = (url: string) => app.client().send({ method: 'GET', url });

async function upload(member: Member, name: string, content?: Buffer | string) {
  const file = { name: 'e.png', content: content ?? (await picture()) };
  return app.as(member).upload(`/realm/emoji/${encodeURIComponent(name)}`, file);
}

const list = async (member = app.cast.mia) => expectSuccess(await app.as(member).get('/realm/emoji')).emoji;
const remove = (member: Member, name: string) => app.as(member).delete(`/realm/emoji/${name}`);

/** Adds an emoji of Mia's. @returns its record */
async function addEmoji(name = newName(), content?: Buffer) {
  expectSuccess(await upload(app.cast.mia, name, content));
  const all: {
    name: string;
    deactivated: boolean;
    id: string;
    source_url: string;
    still_url: string | null;
  }[] = Object.values(await list());
  return all.find((emoji) => emoji.name === name && !emoji.deactivated)!;
}

/** Files that the server keeps for emoji. */
function storedFiles(): string[] {
  try {
    return readdirSync(join(app.get(Config).dataDir, 'files/emoji'));
  } catch {
    return [];
  }
}

const everybody = () => [...app.get(AccountDirectory).active.ids()];

describe('An emoji of the organization', () => {
  it('is added, told and listed, for guests too', async () => {
    const { mia, gus } = app.cast;
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await upload(mia, 'party parrot'))).toEqual({ result: 'success', msg: '' });
    });
    const emoji = await list(gus);
    const [id = ''] = Object.keys(emoji);
    expect(emoji).toEqual({
      [id]: {
        id,
        name: 'party_parrot',
        source_url: expect.stringMatching(/^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{40}\.png$/),
        still_url: null,
        deactivated: false,
        author_id: mia.id,
      },
    });
    expect(events).toMatchObject([
      {
        event: { type: 'realm_emoji', op: 'add', emoji: emoji[id] },
        audience: everybody(),
        options: { requires: 'individual_emoji_changes' },
      },
      {
        event: { type: 'realm_emoji', op: 'update', realm_emoji: emoji },
        audience: everybody(),
        options: { unless: 'individual_emoji_changes' },
      },
    ]);
  });

  it('has a picture of its own size, which anybody can load who knows where', async () => {
    const { source_url } = await addEmoji();
    const file = await load(source_url);
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    await expect(sharp(file.body).metadata()).resolves.toMatchObject({
      width: 64,
      height: 64,
      hasAlpha: true,
    });
  });

  it('keeps moving, and has a still picture then', async () => {
    const { source_url, still_url } = await addEmoji(newName(), await animation());
    expect(source_url).toMatch(/\.gif$/);
    expect(still_url).toMatch(/-still\.png$/);
    const moving = await load(source_url);
    expect(moving.headers).toMatchObject({ 'content-type': 'image/gif' });
    await expect(sharp(moving.body).metadata()).resolves.toMatchObject({
      format: 'gif',
      pages: 2,
      width: 64,
    });
    const still = await load(still_url!);
    expect(still.headers).toMatchObject({ 'content-type': 'image/png' });
    await expect(sharp(still.body).metadata()).resolves.toMatchObject({
      format: 'png',
      width: 64,
      height: 64,
    });
  });

  it('is taken out of use by its author or an administrator, and still shown where it was', async () => {
    const { mia, max, mona, adam } = app.cast;
    for (const member of [mia, adam]) {
      const { id, name, source_url } = await addEmoji();
      for (const stranger of [max, mona]) {
        expectError(await remove(stranger, name), 'Must be an organization administrator or emoji author');
      }
      const events = await app.captureEvents(async () => expectSuccess(await remove(member, name)));
      const emoji = await list();
      expect(emoji[id]).toMatchObject({ name, deactivated: true, source_url });
      expect(events).toMatchObject([
        {
          event: { type: 'realm_emoji', op: 'update_one', emoji_id: id, data: { deactivated: true } },
          audience: everybody(),
          options: { requires: 'individual_emoji_changes' },
        },
        {
          event: { type: 'realm_emoji', op: 'update', realm_emoji: emoji },
          audience: everybody(),
          options: { unless: 'individual_emoji_changes' },
        },
      ]);
      expectError(await remove(member, name), `Emoji '${name}' does not exist`, { status: 404 });
      expect((await load(source_url)).status).toBe(200);
    }
  });

  it('gives its name to another one after that', async () => {
    const { mia } = app.cast;
    const before = await addEmoji();
    expectError(await upload(mia, before.name), 'A custom emoji with this name already exists.');
    expectSuccess(await remove(mia, before.name));
    const after = await addEmoji(before.name);
    expect(after.id).not.toBe(before.id);
    await expect(list()).resolves.toMatchObject({
      [before.id]: { name: before.name, deactivated: true },
      [after.id]: { name: before.name, deactivated: false },
    });
  });

  it('has its name for itself, whoever adds at once', async () => {
    const { mia, max } = app.cast;
    const name = newName();
    const stored = storedFiles().length;
    const answers = await Promise.all([mia, max, mia, max].map((member) => upload(member, name)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const answer of refused) expectError(answer, 'A custom emoji with this name already exists.');
    expect(storedFiles()).toHaveLength(stored + 1);
  });
});

describe('Adding an emoji is refused', () => {
  it.each([
    ['a-', 'Emoji names must end with either a letter or digit.'],
    [
      'Party',
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    ],
    [' ', 'Emoji name is missing'],
  ])('under the name %j', async (name, refusal) => {
    expectError(await upload(app.cast.mia, name), refusal);
  });

  it('without a picture, and with several', async () => {
    const { mia } = app.cast;
    const refusal = 'You must upload exactly one file.';
    expectError(await app.as(mia).post(`/realm/emoji/${newName()}`), refusal);
    const form = new FormData();
    for (const name of ['a', 'b']) form.append(name, new Blob([await picture()]), 'e.png');
    const request = new Request('http://test.invalid/', { method: 'POST', body: form });
    const several = await app.as(mia).send({
      method: 'POST',
      url: `/api/v1/realm/emoji/${newName()}`,
      headers: { 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expectError(several, refusal);
  });

  it('with what is no picture, or too large', async () => {
    const { mia } = app.cast;
    const stored = storedFiles();
    const unreadable = 'Could not decode image; did you upload an image file?';
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    expectError(await upload(mia, newName(), svg), unreadable, { code: 'BAD_IMAGE' });
    expectError(await upload(mia, newName(), (await animation()).subarray(0, 90)), unreadable, {
      code: 'BAD_IMAGE',
    });
    expectError(
      await upload(mia, newName(), Buffer.alloc(5 * 1024 * 1024 + 1)),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    );
    expect(storedFiles()).toEqual(stored);
  });

  it('with more frames than anybody looks at, or more pixels than fit, while passwords are checked', async () => {
    const { mia } = app.cast;
    const stored = storedFiles();
    const bombs = Promise.all([1, 2, 3, 4].map(() => upload(mia, newName(), gifOfFrames(60_000))));
    const login = { username: mia.email, password: 'no password of hers' };
    expect((await app.client().post('/fetch_api_key', login)).status).toBe(401);
    for (const answer of await bombs) {
      expectError(answer, 'The animation has too many frames (limit: 500)', { code: 'BAD_IMAGE' });
    }
    expectError(
      await upload(mia, newName(), gifOfFrames(500, 300, 300)),
      'The image is too large (limit: 40 million pixels in all frames together)',
      { code: 'BAD_IMAGE' },
    );
    expect(storedFiles()).toEqual(stored);
    expect((await addEmoji(newName(), gifOfFrames(500))).still_url).not.toBeNull();
  });

  it('to those who are not in can_add_custom_emoji_group, whom it can be given to', async () => {
    const { olivia, mia, max, gus, robo } = app.cast;
    expectError(await upload(gus, newName()), 'Not allowed for guest users');
    expectSuccess(await upload(robo, newName()));
    const group = await createGroup(app, 'artists', [max.id]);
    const set = async (to: unknown) =>
      expectSuccess(await app.as(olivia).patch('/realm', { can_add_custom_emoji_group: { new: to } }));
    await set(group);
    expectError(await upload(mia, newName()), 'Insufficient permission');
    expectError(await upload(olivia, newName()), 'Insufficient permission');
    expectSuccess(await upload(max, newName()));
    await set({ direct_members: [mia.id, max.id], direct_subgroups: [] });
    expectSuccess(await upload(mia, newName()));
  });

  it.each(['octopus', 'zulip'])('under the name %s, but for administrators', async (name) => {
    const { olivia, adam, mia } = app.cast;
    const group = { direct_members: [adam.id, mia.id], direct_subgroups: [] };
    expectSuccess(await app.as(olivia).patch('/realm', { can_add_custom_emoji_group: { new: group } }));
    expectError(await upload(mia, name), 'Only administrators can override default emoji.');
    expectSuccess(await upload(adam, name));
    expectSuccess(await remove(adam, name));
  });
});

describe('Using an emoji of the organization', () => {
  let id: number;

  const send = (content: string) => sendTo(app, app.cast.mia, 'kitchen', 'soup', content);
  const react = (member: Member, emoji: Record<string, string>) =>
    app.as(member).post(`/messages/${id}/reactions`, emoji);
  const reactions = async () => (await fetchMessage(app, app.cast.mia, id)).reactions;

  beforeAll(async () => {
    const { mia, max } = app.cast;
    await createChannel(app, mia, 'kitchen', { principals: [mia.id, max.id] });
  });

  beforeEach(async () => {
    id = await send('hello');
  });

  it('shows its picture in messages', async () => {
    const { name, source_url } = await addEmoji();
    const text = async () => (await fetchMessage(app, app.cast.mia, await send(`:${name}:`))).content;
    const title = name.replaceAll('_', ' ');
    await expect(text()).resolves.toBe(
      `<p><img alt=":${name}:" class="emoji" src="${source_url}" title="${title}"></p>`,
    );
    expectSuccess(await remove(app.cast.mia, name));
    await expect(text()).resolves.toBe(`<p>:${name}:</p>`);
  });

  it('in reactions takes its name alone, or its ID [RXN-realm_emoji, EP18-reaction_type-optional, VER-2]', async () => {
    const { mia, max } = app.cast;
    const emoji = await addEmoji();
    const record = { emoji_name: emoji.name, emoji_code: emoji.id, reaction_type: 'realm_emoji' };
    expectSuccess(await react(mia, { emoji_name: emoji.name }));
    expectSuccess(await react(max, record));
    await expect(reactions()).resolves.toEqual([
      { ...record, user_id: mia.id },
      { ...record, user_id: max.id },
    ]);
    const byName = await app.as(mia).delete(`/messages/${id}/reactions`, { emoji_name: emoji.name });
    expectError(byName, "Reaction doesn't exist.", { code: 'REACTION_DOES_NOT_EXIST' });
    const withType = { emoji_name: emoji.name, reaction_type: 'realm_emoji' };
    expectSuccess(await app.as(mia).delete(`/messages/${id}/reactions`, withType));
    await expect(reactions()).resolves.toEqual([{ ...record, user_id: max.id }]);
  });

  it('hides the emoji that everybody knows by the name, whose code still serves [RXN-namespaces]', async () => {
    const { adam, mia } = app.cast;
    expectSuccess(await upload(adam, 'tada'));
    expectSuccess(await react(mia, { emoji_name: 'tada' }));
    expectSuccess(
      await react(mia, { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }),
    );
    await expect(reactions()).resolves.toMatchObject([
      { emoji_name: 'tada', reaction_type: 'realm_emoji' },
      { emoji_name: 'tada', reaction_type: 'unicode_emoji', emoji_code: '1f389' },
    ]);
    expectSuccess(await remove(adam, 'tada'));
  });

  it('in reactions is refused when the name is another, and once it is out of use [EP18-R1]', async () => {
    const { mia, max } = app.cast;
    const emoji = await addEmoji();
    const given = (emoji_name: string) => ({
      emoji_name,
      emoji_code: emoji.id,
      reaction_type: 'realm_emoji',
    });
    expectError(await react(max, given('tada')), 'Invalid custom emoji name.');
    expectSuccess(await remove(mia, emoji.name));
    expectError(await react(max, given(emoji.name)), 'This custom emoji has been deactivated.');
    expectError(await react(max, { emoji_name: emoji.name }), `Emoji '${emoji.name}' does not exist`);
  });

  it('goes on where somebody reacted with it before it went out of use [EP18-emoji_code]', async () => {
    const { mia, max } = app.cast;
    const emoji = await addEmoji();
    expectSuccess(await react(mia, { emoji_name: emoji.name }));
    expectSuccess(await remove(mia, emoji.name));
    const vote = { emoji_name: 'whatever', emoji_code: emoji.id, reaction_type: 'realm_emoji' };
    expectSuccess(await react(max, vote));
    await expect(reactions()).resolves.toMatchObject([
      { emoji_name: emoji.name },
      { emoji_name: emoji.name },
    ]);
    expectError(await react(max, vote), 'Reaction already exists.', { code: 'REACTION_ALREADY_EXISTS' });
    expectSuccess(await app.as(max).delete(`/messages/${id}/reactions`, vote));
  });
});

describe('Pictures', () => {
  it.each(['x.png', '..%2f..%2fsecret', `${'0'.repeat(40)}.png`, `${'0'.repeat(40)}.gif%00`])(
    'are not found under %s',
    async (name) => {
      const answer = await load(`/user_avatars/1/emoji/images/${name}`);
      expect(answer.status).toBe(404);
      expect(answer.headers['cache-control']).not.toContain('immutable');
    },
  );

  it('of the emoji of neither kind are where messages say', async () => {
    const { mia } = app.cast;
    await createChannel(app, mia, 'den');
    const { content } = await fetchMessage(app, mia, await sendTo(app, mia, 'den', 'soup', ':zulip:'));
    const [, url = ''] = /src="([^"]+)"/.exec(content) ?? [];
    const file = await load(url);
    expect(file.headers).toMatchObject({ 'content-type': 'image/png' });
    await expect(sharp(file.body).metadata()).resolves.toMatchObject({
      format: 'png',
      width: 64,
      height: 64,
    });
  });
});
