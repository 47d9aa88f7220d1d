import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { picturesDone, plainPicture } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { attachmentsOf, storedFiles, upload } from '../support/upload-setup';

const MIB = 1024 * 1024;
const QUARTER = Buffer.alloc(MIB / 4, 'x');

const send = (app: TestApp, owner: Member, content: Buffer) =>
  app.as(owner).upload('/user_uploads', { name: 'a.bin', content });
const spaceOf = async (app: TestApp, owner: Member) => {
  const answer = expectSuccess(await app.as(owner).get('/attachments'));
  return { all: answer.upload_space_used as number, own: answer.user_upload_space_used as number };
};

/** Removes everything that somebody uploaded. */
async function clear(app: TestApp, owner: Member): Promise<void> {
  for (const { id } of await attachmentsOf(app, owner)) {
    expectSuccess(await app.as(owner).delete(`/attachments/${id}`));
  }
}

describe('The quota of a person', () => {
  const REFUSAL = ['Upload would exceed your upload quota of 1 MiB.', { code: 'USER_UPLOAD_QUOTA' }] as const;
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { UPLOAD_QUOTA_PER_PERSON_MIB: '1', MAX_UPLOAD_MIB: '2' } });
  });

  afterAll(() => app.stop());

  afterEach(async () => {
    for (const member of [app.cast.mia, app.cast.robo, app.cast.max]) await clear(app, member);
  });

  it('is told to clients, with what is in use', async () => {
    const { mia, max } = app.cast;
    const state = expectSuccess(
      await app.as(mia).post('/register', { fetch_event_types: ['realm'], event_types: [] }),
    );
    expect(state).toMatchObject({ realm_upload_quota_mib: null, user_upload_quota_mib: 1 });
    await upload(app, mia, { content: '12345' });
    await upload(app, max, { content: '123' });
    await expect(spaceOf(app, mia)).resolves.toEqual({ all: 8, own: 5 });
    await expect(spaceOf(app, max)).resolves.toEqual({ all: 8, own: 3 });
  });

  it('takes files up to the last byte, and has room again where one is removed', async () => {
    const { mia, max } = app.cast;
    for (let i = 0; i < 4; i++) expectSuccess(await send(app, mia, QUARTER));
    const before = storedFiles(app);
    const events = await app.captureEvents(async () => {
      expectError(await send(app, mia, Buffer.from('x')), ...REFUSAL);
    });
    expect(events).toEqual([]);
    expect(storedFiles(app)).toEqual(before);
    await expect(spaceOf(app, mia)).resolves.toEqual({ all: MIB, own: MIB });
    expectSuccess(await send(app, mia, Buffer.alloc(0)));
    expectSuccess(await send(app, max, QUARTER));
    const [{ id }] = await attachmentsOf(app, mia);
    expectSuccess(await app.as(mia).delete(`/attachments/${id}`));
    expectSuccess(await send(app, mia, QUARTER));
  });

  it('is for smaller versions of pictures, too: without room for them, a picture is shown as it is', async () => {
    const { mia } = app.cast;
    const picture = await plainPicture(500, 300).png().toBuffer();
    await send(app, mia, Buffer.alloc(MIB - picture.length - 10, 'x'));
    const url = await upload(app, mia, { name: 'a.png', content: picture });
    await picturesDone(app);
    await expect(spaceOf(app, mia)).resolves.toMatchObject({ own: MIB - 10 });
    expect(storedFiles(app, 'thumbnails')).toEqual([]);
    const { rendered } = expectSuccess(await app.as(mia).post('/messages/render', { content: `[](${url})` }));
    expect(rendered).toContain(`<img src="${url}">`);
  });

  it('is shared with bots, who would give anyone as much as they like otherwise', async () => {
    const { mia, robo, max } = app.cast;
    for (let i = 0; i < 2; i++) {
      expectSuccess(await send(app, mia, QUARTER));
      expectSuccess(await send(app, robo, QUARTER));
    }
    for (const member of [mia, robo]) {
      expectError(await send(app, member, Buffer.from('x')), ...REFUSAL);
      await expect(spaceOf(app, member)).resolves.toMatchObject({ own: MIB });
    }
    expectSuccess(await app.as(app.cast.olivia).patch(`/bots/${robo.id}`, { bot_owner_id: max.id }));
    await expect(spaceOf(app, mia)).resolves.toMatchObject({ own: MIB / 2 });
    await expect(spaceOf(app, max)).resolves.toMatchObject({ own: MIB / 2 });
    expectSuccess(await app.as(app.cast.olivia).patch(`/bots/${robo.id}`, { bot_owner_id: mia.id }));
  });

  it('is not exceeded by many uploads at once', async () => {
    const { mia, robo } = app.cast;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => send(app, i % 2 ? mia : robo, QUARTER)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(8);
    for (const answer of refused) expectError(answer, ...REFUSAL);
    await expect(spaceOf(app, mia)).resolves.toEqual({ all: MIB, own: MIB });
    expect(storedFiles(app)).toHaveLength(4);
  });

  it('leaves the limit of a single file as it is', async () => {
    const { mia } = app.cast;
    const tooLarge = "File is larger than this server's configured maximum upload size (2 MiB).";
    expectError(await send(app, mia, Buffer.alloc(MIB + 1)), ...REFUSAL);
    expectError(await send(app, mia, Buffer.alloc(3 * MIB)), ...REFUSAL);
    const open = await TestApp.start({ env: { UPLOAD_QUOTA_PER_PERSON_MIB: '0', MAX_UPLOAD_MIB: '2' } });
    try {
      expectError(await send(open, open.cast.mia, Buffer.alloc(3 * MIB)), tooLarge);
      for (let i = 0; i < 5; i++) expectSuccess(await send(open, open.cast.mia, QUARTER));
      const state = await open.as(open.cast.mia).post('/register', { fetch_event_types: ['realm'] });
      expect(expectSuccess(state).user_upload_quota_mib).toBeNull();
    } finally {
      await open.stop();
    }
  });
});

describe('The quota of the organization', () => {
  const REFUSAL = [
    "Upload would exceed your organization's upload quota.",
    { code: 'REALM_UPLOAD_QUOTA' },
  ] as const;
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { UPLOAD_QUOTA_MIB: '1' } });
  });

  afterAll(() => app.stop());

  it('is told to clients', async () => {
    const state = await app.as(app.cast.mia).post('/register', { fetch_event_types: ['realm'] });
    expect(expectSuccess(state)).toMatchObject({ realm_upload_quota_mib: 1, user_upload_quota_mib: 5120 });
  });

  it('holds for everybody together, however many upload at once', async () => {
    const { mia, max, gus, adam } = app.cast;
    const people = [mia, max, gus, adam];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => send(app, people[i % 4] as Member, QUARTER)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(8);
    for (const answer of refused) expectError(answer, ...REFUSAL);
    expectError(await send(app, app.cast.olivia, Buffer.from('x')), ...REFUSAL);
    await expect(spaceOf(app, mia)).resolves.toMatchObject({ all: MIB });
    expect(storedFiles(app)).toHaveLength(4);
    for (const member of people) await clear(app, member);
    expectSuccess(await send(app, app.cast.olivia, QUARTER));
  });
});
