import { Database } from '../../src/platform/database/database.service';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { sqliteDrivers } from '../support/test-database';

describe.each(sqliteDrivers)('where no page is left for the database on %s', (engine) => {
  let app: TestApp;
  const log: string[] = [];
  const clock = new OffsetClock();

  beforeAll(async () => {
    app = await TestApp.start({
      engine,
      clock,
      env: { LOG_LEVEL: 'error' },
      log: { write: (line) => void log.push(line) },
    });
  });
  afterAll(() => app.stop());

  const send = (content: string) =>
    app.as(app.cast.mia).post('/messages', { type: 'direct', to: [app.cast.max.id], content });

  const readiness = async () => {
    const { status, body } = await app.client(null).send({ method: 'GET', url: '/health/ready' });
    return { status, warnings: body.warnings };
  };

  async function setMostPages(pages: number): Promise<void> {
    await app.get(Database).writeSource.query(`PRAGMA max_page_count = ${pages}`);
  }

  it('what is written is refused and told the operator, what is read is answered, and all is well afterwards', async () => {
    await setMostPages(1);
    const long = 'Words, words, words. '.repeat(450);
    let answer = await send(long);
    for (let tries = 0; tries < 50 && answer.status === 200; tries++) answer = await send(long);
    expectError(answer, 'The server is out of disk space. Contact its operator.', {
      code: 'STORAGE_FULL',
      status: 503,
    });
    expect(answer.headers['retry-after']).toBe('60');
    // One line a minute, whatever is refused.
    expect((await send(long)).status).toBe(503);
    const lines = () => log.filter((line) => /full/.test(line)).map((line) => JSON.parse(line));
    const line = { level: 'error', event: 'disk_full', msg: expect.stringContaining('The disk is full') };
    expect(lines()).toEqual([expect.objectContaining({ ...line, suppressed: 0 })]);
    expect(lines()[0]).not.toHaveProperty('err');
    clock.aheadMs += 60_000;
    expect((await send(long)).status).toBe(503);
    expect(lines()[1]).toMatchObject({ ...line, suppressed: expect.any(Number) });
    expect(lines()[1].suppressed).toBeGreaterThan(0);
    expect(lines()).toHaveLength(2);
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
    expect(await readiness()).toEqual({
      status: 200,
      warnings: ['The disk is full: nothing more can be stored.'],
    });

    await setMostPages(1_000_000);
    expectSuccess(await send('Better.'));
    expect(await readiness()).toEqual({ status: 200, warnings: undefined });
  });
});
