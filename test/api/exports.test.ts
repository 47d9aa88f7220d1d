import { exportExpiry, exportMaking } from '../../src/features/moving/export/exports.service';
import { FileStore } from '../../src/platform/files/file-store';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { exportsOf, requestExport } from '../support/export-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessages } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { load } from '../support/upload-setup';

let app: TestApp;
let clock: OffsetClock;

beforeEach(async () => {
  clock = new OffsetClock();
  app = await TestApp.start({ clock });
});

afterEach(() => app.stop());

const adam = () => app.as(app.cast.adam);
const made = () => app.get(Jobs).runDue(exportMaking);
const consent = (value: boolean) => ({ allow_private_data_export: value });

describe('An export', () => {
  it('is requested by an administrator, made, told and fetched', async () => {
    const events = await app.captureEvents(async () => {
      expectSuccess(await adam().post('/export/realm'));
      await made();
    });
    const [record] = await exportsOf(app);
    expect(record).toEqual({
      id: 1,
      acting_user_id: app.cast.adam.id,
      export_time: expect.any(Number),
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: expect.stringMatching(
        /\/user_avatars\/exports\/1\/[0-9a-f]{32}\/zulip-export-[0-9a-f]{8}\.tar\.gz$/,
      ),
      pending: false,
      export_type: 'public',
    });
    const told = events.filter(({ event }) => event.type === 'realm_export');
    const before = { ...record, pending: true, export_url: null };
    expect(told.map(({ event }) => event.exports)).toEqual([[before], [record]]);
    expect([...(told[0]?.audience ?? [])]).toEqual([app.cast.olivia.id, app.cast.adam.id]);
    const { messages } = expectSuccess(await fetchMessages(app, app.cast.adam, []));
    expect(messages.at(-1).content).toContain('Your data export is complete.');

    const url = new URL(record?.export_url).pathname;
    await expect(load(app, app.cast.olivia, url)).resolves.toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining('attachment; filename="zulip-export-'),
        'cache-control': 'private, no-cache',
      },
    });
    expect(await load(app, app.cast.mona, url)).toMatchObject({ status: 403 });
    expect(await load(app, null, url)).toMatchObject({ status: 401 });
    expect(await load(app, app.cast.olivia, `${url}.old`)).toMatchObject({ status: 404 });
    expect(await load(app, app.cast.olivia, url.replace(/[0-9a-f]{32}/, '0'.repeat(32)))).toMatchObject({
      status: 404,
    });
  });

  it('is deleted once, and not before it is there', async () => {
    const id = await requestExport(app, app.cast.adam);
    const remove = (which: number) => adam().delete(`/export/realm/${which}`);
    expectError(await remove(id), 'Export still in progress');
    await made();
    const url = new URL((await exportsOf(app))[0]?.export_url).pathname;
    const events = await app.captureEvents(async () => expectSuccess(await remove(id)));
    expect(events.map(({ event }) => event.type)).toEqual(['realm_export']);
    expect(await exportsOf(app)).toMatchObject([{ deleted_timestamp: expect.any(Number), export_url: null }]);
    expect(await load(app, app.cast.adam, url)).toMatchObject({ status: 404 });
    expect((await app.get(FileStore).paths()).filter((path) => path.startsWith('exports/'))).toEqual([]);
    expectError(await remove(id), 'Export already deleted');
    expectError(await remove(99), 'Invalid data export ID');
  });

  it('is kept for thirty days', async () => {
    await requestExport(app, app.cast.adam);
    await made();
    clock.aheadMs += 30 * 24 * 60 * 60 * 1000 - 60_000;
    await app.get(Jobs).runDue(exportExpiry);
    expect(await exportsOf(app)).toMatchObject([{ deleted_timestamp: null }]);
    clock.aheadMs += 120_000;
    await app.get(Jobs).runDue(exportExpiry);
    expect(await exportsOf(app)).toMatchObject([{ deleted_timestamp: expect.any(Number), export_url: null }]);
    expect((await app.get(FileStore).paths()).filter((path) => path.startsWith('exports/'))).toEqual([]);
  });

  it('can be requested five times in a week', async () => {
    for (let times = 0; times < 5; times++) await requestExport(app, app.cast.adam);
    expectError(await adam().post('/export/realm'), 'Exceeded rate limit.');
    clock.aheadMs += 7 * 24 * 60 * 60 * 1000 + 1_000;
    await requestExport(app, app.cast.adam);
  });

  it('fails where it cannot be written', async () => {
    jest.spyOn(app.get(FileStore), 'write').mockRejectedValue(new Error('The disk is full.'));
    const id = await requestExport(app, app.cast.adam);
    await made();
    expect(await exportsOf(app)).toMatchObject([
      { failed_timestamp: expect.any(Number), export_url: null, pending: false },
    ]);
    expectError(await adam().delete(`/export/realm/${id}`), 'Export failed, nothing to delete');
  });

  it.each([
    ['1', 'Invalid export_type: Value error, Not in the list of possible values'],
    ['all', 'Invalid export_type: Value error, Not in the list of possible values'],
    [
      'full_with_consent',
      'Make sure at least one Organization Owner is consenting to the export or contact the operator of this server for help.',
    ],
    ['full_without_consent', 'Only the operator of this server can export private data without consent.'],
  ])('of the kind %s is refused', async (type, message) => {
    expectError(await adam().post('/export/realm', { export_type: type }), message);
    expect(await exportsOf(app)).toEqual([]);
  });

  it('needs an owner with an address', async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/settings', { email_address_visibility: 4 }));
    expectError(
      await adam().post('/export/realm'),
      'Make sure at least one Organization Owner allows other Administrators to see their email address or contact the operator of this server for help',
    );
  });
});

describe('Consent', () => {
  it('is told to administrators when somebody gives or withdraws it', async () => {
    const { mia, olivia, adam: admin } = app.cast;
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia).patch('/settings', consent(true)));
      expectSuccess(await app.as(mia).patch('/settings', consent(true)));
      expectSuccess(await app.as(mia).patch('/settings', consent(false)));
    });
    const told = events.filter(({ event }) => event.type === 'realm_export_consent');
    expect(told.map(({ event }) => event)).toEqual(
      [true, false].map((consented) => ({ type: 'realm_export_consent', user_id: mia.id, consented })),
    );
    expect([...(told[0]?.audience ?? [])]).toEqual([olivia.id, admin.id]);
  });

  it('is listed for active people', async () => {
    const { mia, gus } = app.cast;
    expectSuccess(await app.as(mia).patch('/settings', consent(true)));
    expectSuccess(await adam().delete(`/users/${gus.id}`));
    const { export_consents: consents } = expectSuccess(await adam().get('/export/realm/consents'));
    expect(consents).toContainEqual({ user_id: mia.id, consented: true, email_address_visibility: 1 });
    expect(consents.map((each: { user_id: number }) => each.user_id)).toEqual(
      ['olivia', 'adam', 'mona', 'max', 'mia'].map((name) => app.cast[name as 'mia'].id),
    );
    const events = await app.captureEvents(async () => {
      expectSuccess(await adam().post(`/users/${gus.id}/reactivate`));
    });
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'realm_export_consent',
      user_id: gus.id,
      consented: false,
    });
  });

  it('is looked at again when the archive is complete', async () => {
    const { olivia, mia } = app.cast;
    expectSuccess(await app.as(olivia).patch('/settings', consent(true)));
    expectSuccess(await app.as(mia).patch('/settings', consent(true)));
    await requestExport(app, app.cast.adam, 'full_with_consent');
    const store = app.get(FileStore);
    const sizeOf = store.sizeOf.bind(store);
    jest.spyOn(store, 'sizeOf').mockImplementation(async (path) => {
      expectSuccess(await app.as(mia).patch('/settings', consent(false)));
      return sizeOf(path);
    });
    await made();
    expect(await exportsOf(app)).toMatchObject([{ failed_timestamp: expect.any(Number), export_url: null }]);
    expect((await store.paths()).filter((path) => path.startsWith('exports/'))).toEqual([]);
  });
});
