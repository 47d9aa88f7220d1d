import { Database } from '../../src/platform/database/database.service';
import { BackupService } from '../../src/features/operations/backup/backup.service';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const DATABASE_PASSWORD = 'nobody-must-see-this';
const NO_CONTEXT = { site: '', signal: new AbortController().signal, report: () => undefined };

describe('The status of the server', () => {
  const clock = new StoppedClock();
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({
      clock,
      env: { METRICS_TOKEN: DATABASE_PASSWORD, TRUSTED_PROXIES: '10.0.0.1' },
    });
  });

  afterAll(() => app.stop());

  const status = async () => {
    const answer = await (await app.companionAs(app.cast.adam)).get('/server/status');
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('says what runs, and that it is well', async () => {
    const { engine, driver } = app.get(Database);
    expect(await status()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      interface_version: '12.0',
      feature_level: expect.any(Number),
      started_at: clock.nowSeconds(),
      is_ready: true,
      checks: { database: 'ok', migrations: 'ok', redis: 'not used' },
      problems: [],
      nodes: engine === 'sqlite' ? 1 : null,
      database: { engine, driver, bytes: expect.any(Number), answer_ms: expect.any(Number) },
      disk: { total_bytes: expect.any(Number), free_bytes: expect.any(Number) },
    });
    const { database, disk, memory_bytes: memory } = await status();
    expect(database.bytes).toBeGreaterThan(100_000);
    expect(disk.total_bytes).toBeGreaterThanOrEqual(disk.free_bytes);
    expect(memory).toBeGreaterThan(10_000_000);
  });

  it('counts clients, jobs, failed logins and routes', async () => {
    const before = await status();
    const { mia } = app.cast;
    await app.queue(mia);
    await app.client().post('/fetch_api_key', { username: 'max@example.com', password: 'wrong' });
    const after = await status();
    expect(after.clients.queues).toBe(before.clients.queues + 1);
    expect(after.sign_ins).toEqual({ ...before.sign_ins, failed: before.sign_ins.failed + 1 });
    expect(after.jobs).toContainEqual({
      kind: 'outgoing_webhook',
      waiting: 0,
      oldest_seconds: 0,
      done: 0,
      failed: 0,
    });
    const routes: { route: string; requests: number; mean_ms: number; p95_ms: number }[] =
      after.slowest_routes;
    expect(routes.length).toBeGreaterThan(0);
    expect(routes.length).toBeLessThanOrEqual(10);
    const means = routes.map(({ mean_ms: mean }) => mean);
    expect(means).toEqual([...means].sort((one, other) => other - one));
    expect(routes.find(({ route }) => route === '/api/auth/login')?.requests).toBeGreaterThan(0);
  });

  it('knows when the last backup was complete', async () => {
    expect((await status()).last_backup).toBeNull();
    const folder = mkdtempSync(join(tmpdir(), 'parley-status-'));
    try {
      const backups = app.get(BackupService);
      await backups.create({ target: join(folder, 'one') }, NO_CONTEXT);
      expect((await status()).last_backup).toEqual({ made_at: clock.nowSeconds(), with_secret: false });
      await backups.create({ target: join(folder, 'two'), withSecret: true }, NO_CONTEXT);
      expect((await status()).last_backup).toMatchObject({ with_secret: true });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is for administrators', async () => {
    const { mona, mia, gus } = app.cast;
    for (const person of [mona, mia, gus]) {
      expect((await (await app.companionAs(person)).get('/server/status')).status).toBe(403);
    }
    expect((await app.companion().get('/server/status')).status).toBe(401);
  });
});

describe('The configuration of the server', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({
      env: { METRICS_TOKEN: DATABASE_PASSWORD, TRUSTED_PROXIES: '10.0.0.1 10.0.0.2' },
    });
  });

  afterAll(() => app.stop());

  it('is shown as it is in force, without secrets', async () => {
    const { status, body } = await (await app.companionAs(app.cast.olivia)).get('/server/configuration');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(DATABASE_PASSWORD);
    const named = (name: string) =>
      body.settings.find(({ variable }: { variable: string }) => variable === name);
    expect(named('METRICS_TOKEN')).toMatchObject({ value: null, is_secret: true, is_set: true });
    expect(named('SMTP_URL')).toMatchObject({ value: null, is_secret: true, is_set: false });
    expect(named('TRUSTED_PROXIES')).toMatchObject({ value: '10.0.0.1, 10.0.0.2', is_secret: false });
    expect(named('RATE_LIMIT_PER_MINUTE')).toMatchObject({ section: 'Network', value: '0', default: '200' });
    expect(named('DATABASE_URL')).toMatchObject({ value: null, is_secret: true });
    expect(named('EXTERNAL_URL')).toMatchObject({ value: 'http://chat.example.com' });
  });

  it('is for owners', async () => {
    const { adam, mia } = app.cast;
    for (const person of [adam, mia]) {
      expect((await (await app.companionAs(person)).get('/server/configuration')).status).toBe(403);
    }
  });
});
