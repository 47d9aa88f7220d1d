import { pipeline } from 'node:stream/promises';
import { pathOfImported, storedPath } from '../../src/features/uploads/upload-path';
import { FileStore } from '../../src/platform/files/file-store';
import type { Member } from '../support/cast';
import { changeChannel, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, post, tell, upload } from '../support/upload-setup';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const nobody = null;
let channels = 0;

/** A new channel of Mia's, with these people beside her. */
function channelWith(
  members: readonly Member[],
  options: Record<string, unknown> = {},
  creator = app.cast.mia,
) {
  const principals = [creator, ...members].map(({ id }) => id);
  return createChannel(app, creator, `channel ${++channels}`, { principals, ...options });
}

/** Who of the cast, and of those without an account, may read the file; checked on both addresses of it. */
async function readersOf(url: string): Promise<string[]> {
  const readers: string[] = [];
  for (const [name, member] of Object.entries(app.cast)) {
    const direct = await load(app, member, url);
    const viaLink = await app.as(member).get(url);
    if (direct.status === 200) {
      expectSuccess(viaLink);
      readers.push(name);
    } else {
      const msg = 'You are not authorized to view this file.';
      expect(direct).toMatchObject({ status: 403, body: { detail: msg } });
      expectError(viaLink, msg, { code: 'FORBIDDEN', status: 403 });
    }
  }
  const { status } = await load(app, nobody, url);
  if (status === 200) readers.push('nobody in particular');
  else expect(status).toBe(403);
  return readers;
}

const MEMBERS = ['olivia', 'adam', 'mona', 'max', 'mia', 'robo'];

describe('A file is read by', () => {
  let url: string;

  beforeEach(async () => {
    url = await upload(app, app.cast.mia);
  });

  it('its owner alone before it is sent', async () => {
    await expect(readersOf(url)).resolves.toEqual(['mia']);
  });

  it('the same readers at the address that it had on another server', async () => {
    const old = url.replace('/1/', '/73/');
    await expect(readersOf(old)).resolves.toEqual(['mia']);
    const { body } = await load(app, app.cast.mia, url);
    expect((await load(app, app.cast.mia, old)).body).toEqual(body);
  });

  it('the same readers at the address that it had on a server with files in S3', async () => {
    const old = '/user_uploads/73/AZaz09_-AZaz09_-AZaz09_-/file.txt';
    const [here, path] = [url, pathOfImported(old.slice('/user_uploads/'.length))].map((each) =>
      each.replace('/user_uploads/', ''),
    ) as [string, string];
    const files = app.get(FileStore);
    const content = await files.open(storedPath(here));
    await files.write(storedPath(path), (sink) => pipeline(content!.content, sink));
    await app.writeRows((tx) => tx.query('UPDATE attachment SET path = ? WHERE path = ?', [path, here]));
    await expect(readersOf(old)).resolves.toEqual(['mia']);
    for (const address of [old, old.replace('uploads/', 'uploads/download/')])
      expect((await load(app, app.cast.mia, address)).status).toBe(200);
    const escaped = `/user_uploads/73/${encodeURIComponent('AZaz09_-AZaz09_-AZaz09_-/file.txt')}`;
    expectSuccess(await app.as(app.cast.mia).get(escaped));
    const other = old.replace('_-/', '_/');
    expect((await load(app, app.cast.mia, other)).status).toBe(404);
  });

  it('every member once it is in a public channel, and subscribed guests', async () => {
    const { mia, gus } = app.cast;
    await post(app, mia, await channelWith([]), `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(expect.arrayContaining(MEMBERS));
    await expect(readersOf(url)).resolves.not.toContain('gus');
    await post(app, mia, await channelWith([gus]), `see [file](${url}) again`);
    await expect(readersOf(url)).resolves.toEqual(expect.arrayContaining([...MEMBERS, 'gus']));
  });

  it('the subscribers of a private channel, and no administrator beside them', async () => {
    const { mia, max, gus } = app.cast;
    await post(app, mia, await channelWith([max, gus], { invite_only: true }), `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['max', 'mia', 'gus']);
  });

  it('whoever may subscribe to a private channel', async () => {
    const { mia, mona } = app.cast;
    const options = {
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: { direct_members: [mona.id], direct_subgroups: [] },
    };
    await post(app, mia, await channelWith([], options), `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['mona', 'mia']);
  });

  it('those who were there when it was sent, where history is protected', async () => {
    const { mia, max, mona, gus } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: false };
    const id = await channelWith([max, gus], options);
    await post(app, mia, id, `[file](${url})`);
    await app.as(mia).post('/users/me/subscriptions', {
      subscriptions: [{ name: `channel ${channels}` }],
      principals: [mona.id],
    });
    await expect(readersOf(url)).resolves.toEqual(['max', 'mia', 'gus']);
    await post(app, mia, id, `for Mona: [file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['mona', 'max', 'mia', 'gus']);
  });

  it('nobody any more who has left the channel', async () => {
    const { mia, max } = app.cast;
    await post(app, mia, await channelWith([max], { invite_only: true }), `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['max', 'mia']);
    await app.as(max).delete('/users/me/subscriptions', { subscriptions: [`channel ${channels}`] });
    await expect(readersOf(url)).resolves.toEqual(['mia']);
  });

  it('both sides of a direct message', async () => {
    const { mia, gus } = app.cast;
    await tell(app, mia, gus, `![picture](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['mia', 'gus']);
  });

  it('the whole world in a web-public channel, as long as that is offered', async () => {
    const { mia, olivia } = app.cast;
    const id = await channelWith([mia], { is_web_public: true }, olivia);
    await post(app, mia, id, `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual([...Object.keys(app.cast), 'nobody in particular']);
    const offer = (offered: boolean) => app.as(olivia).patch('/realm', { enable_spectator_access: offered });
    expectSuccess(await offer(false));
    expect((await load(app, nobody, url)).status).toBe(403);
    expectSuccess(await offer(true));
    expect((await load(app, nobody, url)).status).toBe(200);
    await changeChannel(app, id, { is_archived: true });
    expect((await load(app, nobody, url)).status).toBe(403);
  });
});

describe('A link opens a file', () => {
  it.each([
    ['written as Markdown', (url: string) => `[file](${url})`],
    ['to the whole address', (url: string) => `see http://chat.example.com${url} please`],
    ['as a picture', (url: string) => `![a](${url})`],
    ['beside others', (url: string) => `[a](/user_uploads/1/00/x/y) [b](${url}) [c](${url})`],
    ['in a quotation', (url: string) => `\`\`\`quote\n[file](${url})\n\`\`\``],
  ])('%s', async (_how, content) => {
    const { mia, max } = app.cast;
    const url = await upload(app, mia, { name: 'läst.txt' });
    await tell(app, mia, max, content(url));
    expect((await load(app, max, url)).status).toBe(200);
  });

  it('not where the address is no link', async () => {
    const { mia, max } = app.cast;
    const url = await upload(app, mia);
    await tell(app, mia, max, `\`[file](${url})\``);
    expect((await load(app, max, url)).status).toBe(403);
  });

  it('not where it leads to another site', async () => {
    const { mia, max } = app.cast;
    const url = await upload(app, mia);
    await tell(app, mia, max, `[file](http://other.example.com${url})`);
    expect((await load(app, max, url)).status).toBe(403);
  });
});

describe('Knowing the address of a file', () => {
  it('does not open it by sending the link', async () => {
    const { mia, max, mona } = app.cast;
    const url = await upload(app, mia);
    const events = await app.captureEvents(async () => {
      await tell(app, max, mona, `[file](${url})`);
      await tell(app, max, max, `[file](${url})`);
      await post(app, max, await channelWith([], {}, max), `[file](${url})`);
    });
    await expect(readersOf(url)).resolves.toEqual(['mia']);
    expect(events.filter(({ event }) => event.type === 'attachment')).toEqual([]);
  });

  it('lets those pass it on who may read it', async () => {
    const { mia, max, gus, adam } = app.cast;
    const url = await upload(app, mia);
    await tell(app, mia, max, `[file](${url})`);
    await tell(app, max, gus, `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['max', 'mia', 'gus']);
    await tell(app, gus, adam, `[file](${url})`);
    await expect(readersOf(url)).resolves.toEqual(['adam', 'max', 'mia', 'gus']);
  });

  it('opens of several files only those that the sender may read', async () => {
    const { mia, max, mona } = app.cast;
    const [own, foreign] = [await upload(app, max), await upload(app, mia)];
    await tell(app, max, mona, `[a](${own}) [b](${foreign})`);
    await expect(readersOf(own)).resolves.toEqual(['mona', 'max']);
    await expect(readersOf(foreign)).resolves.toEqual(['mia']);
  });

  it('does not help a bot whose owner may read it, nor the other way round', async () => {
    const { mia, robo } = app.cast;
    const [ofOwner, ofBot] = [await upload(app, mia), await upload(app, robo)];
    await expect(readersOf(ofOwner)).resolves.toEqual(['mia']);
    await expect(readersOf(ofBot)).resolves.toEqual(['robo']);
  });
});

it('A message that could not be sent opens nothing', async () => {
  const { mia, max } = app.cast;
  const url = await upload(app, mia);
  const id = await channelWith([], { invite_only: true }, max);
  const message = { type: 'channel', to: id, topic: 'files', content: `[file](${url})` };
  expect((await app.as(mia).post('/messages', message)).body.result).toBe('error');
  await expect(readersOf(url)).resolves.toEqual(['mia']);
  expect((await attachmentsOf(app, mia)).at(-1)).toHaveProperty('message_ids', []);
});
