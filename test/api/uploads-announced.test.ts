import { Config } from '../../src/platform/config/config';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { begin, begun, progressOf, sendPiece } from '../support/tus-setup';
import { attachmentsOf, storedFiles, upload } from '../support/upload-setup';

const MIB = 1024 * 1024;

const NO_ROOM = {
  status: 413,
  body: { message: 'Upload would exceed your upload quota of 8 MiB.', code: 'USER_UPLOAD_QUOTA' },
};

let app: TestApp;
/** On the same database; the same node where there can be one only. */
let other: TestApp;

beforeAll(async () => {
  app = await TestApp.start({
    env: { MAX_UPLOAD_MIB: '6', UPLOAD_QUOTA_PER_PERSON_MIB: '8', UPLOAD_QUOTA_MIB: '20' },
  });
  other = app.get(Config).databaseUrl ? await app.anotherNode() : app;
});

afterAll(async () => {
  if (other !== app) await other.stop();
  await app.stop();
});

const isThere = async (owner: Member, url: string) => (await progressOf(app, owner, url)).status === 200;
const giveUp = (owner: Member, url: string) =>
  app.as(owner).send({ method: 'DELETE', url, headers: { 'tus-resumable': '1.0.0' } });

/** Removes what was uploaded. */
async function clear(owner: Member): Promise<void> {
  for (const { id } of await attachmentsOf(app, owner)) {
    expectSuccess(await app.as(owner).delete(`/attachments/${id}`));
  }
}

it('What was announced and never sent takes nobody’s room', async () => {
  const { mia, max, mona } = app.cast;
  const announced = [];
  for (const owner of [mia, max, mona, mia, max, mona]) {
    announced.push([owner, await begun(app, owner, 6 * MIB)] as const);
  }
  const url = await begun(other, mia, 6 * MIB);
  expect((await sendPiece(other.as(mia), url, 0, Buffer.alloc(6 * MIB))).status).toBe(200);
  await upload(app, max, { content: Buffer.alloc(5 * MIB) });
  await clear(mia);
  await clear(max);
  for (const [owner, at] of announced) expect((await giveUp(owner, at)).status).toBe(204);
});

it('What has arrived takes room, on every node', async () => {
  const { mia } = app.cast;
  const first = await begun(app, mia, 6 * MIB);
  const second = await begun(other, mia, 6 * MIB);
  expect((await sendPiece(app.as(mia), first, 0, Buffer.alloc(5 * MIB))).status).toBe(204);
  await expect(begin(other, mia, 3 * MIB + 1)).resolves.toMatchObject(NO_ROOM);
  await expect(sendPiece(other.as(mia), second, 0, Buffer.alloc(MIB))).resolves.toMatchObject(NO_ROOM);
  expect([await isThere(mia, first), await isThere(mia, second)]).toEqual([true, false]);
  expect(storedFiles(app, 'unfinished')).toHaveLength(1);
  await giveUp(mia, first);
  expect((await begin(other, mia, 3 * MIB + 1)).status).toBe(201);
});

it('What arrives at the same time does not take more room than there is', async () => {
  const { max } = app.cast;
  const urls = await Promise.all([app, other, app, other].map((node) => begun(node, max, 6 * MIB)));
  const pieces = urls.map((url, at) =>
    sendPiece((at % 2 === 0 ? app : other).as(max), url, 0, Buffer.alloc(5 * MIB)),
  );
  const answers = await Promise.all(pieces);
  const kept = answers.filter(({ status }) => status === 204);
  expect(kept).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 204) expect(answer).toMatchObject(NO_ROOM);
  expect(storedFiles(app, 'unfinished')).toHaveLength(1);
  for (const url of urls) await giveUp(max, url);
});

it('Of uploads that begin at the same time, fifty of a person stay', async () => {
  const { mona } = app.cast;
  const urls = await Promise.all(
    Array.from({ length: 70 }, (_, at) => begun(at % 2 === 0 ? app : other, mona, MIB)),
  );
  const present = await Promise.all(urls.map((url) => isThere(mona, url)));
  expect(present.filter(Boolean)).toHaveLength(50);
});
