import { Database } from '../../src/platform/database/database.service';
import { DatabaseAway } from '../../src/platform/errors/request.errors';
import { asApiError } from '../../src/platform/http/error-answer';
import { expectSuccess } from '../support/expect-answer';
import { Line } from '../support/line';
import { TestApp } from '../support/test-app';
import { hasPostgres, postgresServer } from '../support/test-database';

(hasPostgres ? describe : describe.skip)('while the database is away', () => {
  let line: Line;
  let app: TestApp;

  beforeAll(async () => {
    line = await Line.open(postgresServer()!, 5432);
    app = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => ({ DATABASE_URL: line.through(DATABASE_URL!) }),
      withoutLaw: 'the database is taken away',
    });
    line.cut();
  });

  afterAll(async () => {
    line.mend();
    await app.stop();
    await line.close();
  });

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
    expect(answer.json()).toMatchObject({ problems: ['The database does not answer.'] });
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
        msg: 'The server cannot reach its database. Please try again in a moment.',
        code: 'DATABASE_UNAVAILABLE',
      },
    });
  });

  it('who signs in is asked to try again, on the companion interface too', async () => {
    const login = { email: 'mia@example.com', password: 'wrong' };
    const answer = await send('POST', '/api/auth/login', login);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      detail: 'The server cannot reach its database. Please try again in a moment.',
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
  let line: Line;
  let app: TestApp;

  beforeAll(async () => {
    line = await Line.open(postgresServer()!, 5432);
    app = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => ({ DATABASE_URL: line.through(DATABASE_URL!) }),
      withoutLaw: 'the database stands still',
    });
    line.stall();
  });

  afterAll(async () => {
    line.mend();
    await app.stop();
    await line.close();
  });

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
    await expect(failed).resolves.toBeInstanceOf(DatabaseAway);
  });

  it('all is well once it goes on', async () => {
    line.mend();
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
  });
});
