import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database.service';
import { PostgresSettler } from '../../src/platform/database/transactions/postgres-writer';
import { DatabaseUnreachable } from '../../src/platform/errors/request.errors';
import { IS_UNSETTLED } from '../../src/platform/events/event-log.service';
import { asApiError } from '../../src/platform/http/error-answer';
import { expectSuccess } from '../support/expect-answer';
import { Line } from '../support/line';
import { TestApp } from '../support/test-app';
import { hasPostgres, postgresServer } from '../support/test-database';

const WAITING = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let line: Line;
let app: TestApp;
/** Address of the database, past the line. */
let directly: string;

/** Has the tests around run with a server whose line to PostgreSQL fails before the first of them. */
function afterLineFails(reason: string, fail: () => void): void {
  beforeAll(async () => {
    line = await Line.open(postgresServer()!, 5432);
    app = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => {
        directly = DATABASE_URL!;
        return { DATABASE_URL: line.through(directly) };
      },
      withoutLaw: reason,
    });
    fail();
  });

  afterAll(async () => {
    line.mend();
    await app.stop();
    await line.close();
  });
}

(hasPostgres ? describe : describe.skip)('while the database is away', () => {
  afterLineFails('the database is taken away', () => line.cut());

  const send = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.nest.inject({ method, url, payload, remoteAddress: '127.0.0.1' });

  it.each(['/health/live', '/metrics', '/api/v1/server_settings', '/api/docs-json', '/'])(
    '%s answers as ever',
    async (url) => {
      expect((await send('GET', url)).statusCode).toBe(200);
    },
  );

  it('/health/ready tells why nothing should be sent here', async () => {
    const answer = await send('GET', '/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ problems: ['The database does not respond.'] });
  });

  it.each([
    ['reads', 'get', '/users/me'],
    ['writes', 'post', '/messages'],
    ['registers', 'post', '/register'],
  ] as const)('somebody who %s is asked to try again', async (_what, method, path) => {
    const message = { type: 'direct', to: [app.cast.max.id], content: 'a' };
    const { status, headers, body } = await app
      .as(app.cast.mia)
      [method](path, path === '/messages' ? message : {});
    expect({ status, retryAfter: headers['retry-after'], body }).toEqual({
      status: 503,
      retryAfter: '5',
      body: {
        result: 'error',
        msg: 'The server cannot reach its database. Try again in a moment.',
        code: 'DATABASE_UNAVAILABLE',
      },
    });
  });

  it('who signs in is asked to try again, on the companion interface too', async () => {
    const login = { email: 'mia@example.com', password: 'wrong' };
    const answer = await send('POST', '/api/auth/login', login);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      detail: 'The server cannot reach its database. Try again in a moment.',
    });
  });

  it('all is well once it is back', async () => {
    line.mend();
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
    const message = { type: 'direct', to: [app.cast.max.id], content: 'a' };
    expectSuccess(await app.as(app.cast.mia).post('/messages', message));
    expect((await send('GET', '/health/ready')).statusCode).toBe(200);
  });
});

(hasPostgres ? describe : describe.skip)('while the database says nothing', () => {
  afterLineFails('the database stands still', () => line.stall());

  it('the metrics come without its own', async () => {
    const request = { method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' } as const;
    const { statusCode, body } = await app.nest.inject(request);
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^parley_event_log_length Nan$/im);
    expect(body).toMatch(/^parley_event_queues 0$/m);
  });

  it('who asks for anything is asked to try again, also who asks while others wait', async () => {
    const ask = async () => {
      const { status, body } = await app.as(app.cast.mia).get('/users/me');
      return { status, code: body.code as unknown };
    };
    const away = { status: 503, code: 'DATABASE_UNAVAILABLE' };
    await expect(Promise.all([ask(), ask()])).resolves.toEqual([away, away]);
  });

  it('a connection on which no answer comes is given up', async () => {
    const failed = app.get(Database).read.query('SELECT 1').catch(asApiError);
    await expect(failed).resolves.toBeInstanceOf(DatabaseUnreachable);
  });

  it('all is well once it goes on', async () => {
    line.mend();
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
  });
});

(hasPostgres ? describe : describe.skip)('after the line forgot all connections', () => {
  afterLineFails('the database is taken away', () => line.forget());

  const send = async (content: string, to = app.cast.max) => {
    const message = { type: 'direct', to: [to.id], content };
    const { status, body } = await app.as(app.cast.mia).post('/messages', message);
    return { status, code: body.code as unknown };
  };

  it('those who read or write get an answer all the same', async () => {
    const read = app.as(app.cast.mia).get('/users/me');
    // Whoever came late enough has a connection that was made since.
    const answers = [{ status: 200 }, { status: 503, code: 'DATABASE_UNAVAILABLE' }];
    expect(answers).toContainEqual(await send('Lost on the way.'));
    expect([200, 503]).toContain((await read).status);
  });

  it('and so does a write whose connection is forgotten while it goes on, and everybody after it', async () => {
    while ((await send('One.')).status !== 200) await pause(100);
    const locker = new Client({ connectionString: directly });
    await locker.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE message IN EXCLUSIVE MODE');
      const waiting = send('Waits for the lock.');
      while ((await app.get(Database).read.query(WAITING)).length === 0) await pause(5);
      line.forget();
      expect((await waiting).status).toBe(503);
    } finally {
      await locker.end();
    }
    const others = [send('Two.', app.cast.olivia), send('Three.', app.cast.gus)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

(hasPostgres ? describe : describe.skip)('where the database was away when events were to be settled', () => {
  afterLineFails('the last settled number is put back', () => undefined);

  it('they are settled by whoever could not do so before', async () => {
    const source = await new DataSource({ type: 'postgres', url: line.through(directly) }).initialize();
    const settler = new PostgresSettler(source);
    await settler.settle();
    line.cut();
    // On the connection that there was, and without one.
    await settler.settle();
    await settler.settle();
    line.mend();
    const isSettled = async () => (await source.query<unknown[]>(IS_UNSETTLED)).length === 0;
    await source.query('UPDATE event_log_head SET number = number - 1');
    await settler.settle();
    expect(await isSettled()).toBe(true);
    await settler.close();
    await source.destroy();
  });
});
