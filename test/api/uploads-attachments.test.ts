import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, post, storedFiles, tell, upload } from '../support/upload-setup';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const spaceUsed = async () => expectSuccess(await app.as(app.cast.mia).get('/attachments')).upload_space_used;
const newestOf = async (owner: Member) => (await attachmentsOf(app, owner)).at(-1);
const pathOf = (url: string) => decodeURIComponent(url.replace('/user_uploads/', ''));
const now = () => Math.floor(Date.now() / 1000);

describe('The list of attachments', () => {
  it('holds one’s own files, oldest first, with the messages that link them', async () => {
    const { max, mia } = app.cast;
    const before = now();
    const urls = [
      await upload(app, max, { name: 'läst 1.txt', content: '12345' }),
      await upload(app, max, { name: 'b.png', content: '123' }),
    ];
    await upload(app, mia, { content: '1234567' });
    const messages = [
      await post(app, max, await createChannel(app, max, 'lunch'), `[a](${urls[0]})`),
      await tell(app, max, mia, `[a](${urls[0]})`),
    ];
    const answer = expectSuccess(await app.as(max).get('/attachments'));
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      attachments: [
        {
          id: expect.any(Number),
          name: 'läst 1.txt',
          path_id: pathOf(urls[0] as string),
          size: 5,
          create_time: expect.any(Number),
          message_ids: messages,
        },
        {
          id: expect.any(Number),
          name: 'b.png',
          path_id: pathOf(urls[1] as string),
          size: 3,
          create_time: expect.any(Number),
          message_ids: [],
        },
      ],
      upload_space_used: 15,
      user_upload_space_used: 8,
    });
    const [{ create_time }] = answer.attachments;
    expect(create_time).toBeGreaterThanOrEqual(before);
    expect(create_time).toBeLessThanOrEqual(now());
  });

  it('is empty for who uploaded nothing, who learns the space that all take', async () => {
    const used = await spaceUsed();
    expect(expectSuccess(await app.as(app.cast.gus).get('/attachments'))).toEqual({
      result: 'success',
      msg: '',
      attachments: [],
      upload_space_used: used,
      user_upload_space_used: 0,
    });
  });

  it('names the messages of others that link a file', async () => {
    const { max, mia, mona } = app.cast;
    const url = await upload(app, max);
    const first = await tell(app, max, mia, `[a](${url})`);
    const second = await tell(app, mia, mona, `[a](${url})`);
    expect((await newestOf(max)).message_ids).toEqual([first, second]);
  });
});

it('An attachment names no more than the newest thousand messages that link it', async () => {
  const { max, mia } = app.cast;
  const first = await tell(app, max, mia, `[a](${await upload(app, max)})`);
  const { id } = await newestOf(max);
  await app.writeRows(async (tx) => {
    for (let copies = 1; copies < 1024; copies *= 2) {
      await tx.query(
        `INSERT INTO message (sender_id, conversation_id, content, rendered_content, client_name, sent_at, facts)
         SELECT sender_id, conversation_id, content, rendered_content, client_name, sent_at, facts
         FROM message WHERE id >= ?`,
        [first],
      );
    }
    await tx.query(
      'INSERT INTO attachment_message (attachment_id, message_id) SELECT ?, id FROM message WHERE id > ?',
      [id, first],
    );
  });
  const { message_ids: ids } = await newestOf(max);
  expect(ids).toHaveLength(1000);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  expect(ids).not.toContain(first);
  expect(ids.at(-1)).toBe((await tell(app, max, mia, 'the next')) - 1);
});

describe('A message that links files', () => {
  it('tells the owner of each, whoever sends it, after the message itself', async () => {
    const { max, mia, mona } = app.cast;
    const [ofMax, ofMia] = [await upload(app, max), await upload(app, mia)];
    await tell(app, mia, max, `[b](${ofMia})`);
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = await tell(app, max, mona, `[b](${ofMia}) [a](${ofMax}) [a](${ofMax}) [none](${ofMax}x)`);
    });
    expect(events.map(({ event }) => `${event.type} ${event.op}`)).toEqual([
      'message undefined',
      'attachment update',
      'attachment update',
    ]);
    const used = await spaceUsed();
    for (const owner of [max, mia]) {
      const record = await newestOf(owner);
      expect(record.message_ids).toContain(id);
      expect(events).toContainEqual(
        expect.objectContaining({
          event: { type: 'attachment', op: 'update', attachment: record, upload_space_used: used },
          audience: [owner.id],
        }),
      );
    }
  });

  it('counts once however often it is sent at once', async () => {
    const { max, mia } = app.cast;
    const url = await upload(app, max);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => tell(app, max, mia, `[a](${url}) [b](${url})`)),
    );
    expect((await newestOf(max)).message_ids).toEqual(ids.sort((a, b) => a - b));
  });
});

describe('Removing an attachment', () => {
  it('takes away row, links and file, and tells its owner', async () => {
    const { max, mia } = app.cast;
    const before = { files: storedFiles(app).length, used: await spaceUsed() };
    const url = await upload(app, max, { content: '12345' });
    await tell(app, max, mia, `[a](${url})`);
    const { id } = await newestOf(max);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await app.as(max).delete(`/attachments/${id}`))).toEqual({
        result: 'success',
        msg: '',
      });
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: before.used },
        audience: [max.id],
      }),
    ]);
    expect({ files: storedFiles(app).length, used: await spaceUsed() }).toEqual(before);
    for (const reader of [max, mia, null]) expect((await load(app, reader, url)).status).toBe(404);
    expect((await attachmentsOf(app, max)).map((each: { id: number }) => each.id)).not.toContain(id);
    expectError(await app.as(max).delete(`/attachments/${id}`), 'Invalid attachment');
  });

  it('is for its owner alone', async () => {
    const { max, mia } = app.cast;
    const url = await upload(app, mia);
    await tell(app, mia, max, `[a](${url})`);
    const { id } = await newestOf(mia);
    for (const name of ['olivia', 'adam', 'max', 'gus', 'robo'] as const) {
      expectError(await app.as(app.cast[name]).delete(`/attachments/${id}`), 'Invalid attachment');
    }
    expect((await load(app, mia, url)).status).toBe(200);
  });

  it.each(['0', '2147483647', '99999999999999999999'])('does not find number %s', async (id) => {
    expectError(await app.as(app.cast.mia).delete(`/attachments/${id}`), 'Invalid attachment');
  });

  it('happens once, and beside messages that link it', async () => {
    const { max, mia } = app.cast;
    const url = await upload(app, max, { content: '12345' });
    const { id } = await newestOf(max);
    const before = await spaceUsed();
    const sends = Array.from({ length: 8 }, () => tell(app, max, mia, `[a](${url})`));
    const removals = Array.from({ length: 4 }, () => app.as(max).delete(`/attachments/${id}`));
    const results = (await Promise.all(removals)).map(({ body }) => body.result);
    await expect(Promise.all(sends)).resolves.toHaveLength(8);
    expect(results.filter((result) => result === 'success')).toHaveLength(1);
    expect(await spaceUsed()).toBe(before - 5);
    expect((await load(app, max, url)).status).toBe(404);
  });
});
