import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock, ClockModule } from '../../src/platform/clock';
import { loadConfig } from '../../src/platform/config/load-config';
import { ConfigModule } from '../../src/platform/config/config.module';
import { DatabaseModule } from '../../src/platform/database/database.module';
import { writeState } from '../../src/platform/database/server-state';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { EventsModule } from '../../src/platform/events/events.module';
import { HealthModule } from '../../src/platform/health/health.module';
import { fastifyOptions, prepareFastify } from '../../src/platform/http/prepare-fastify';
import { HooksModule } from '../../src/platform/hooks/hooks';
import { HttpModule } from '../../src/platform/http/http.module';
import { JobsModule } from '../../src/platform/jobs/jobs.service';
import { LifecycleModule } from '../../src/platform/lifecycle/lifecycle.module';
import { ShutdownSignal } from '../../src/platform/lifecycle/graceful-stop';
import { ProcessPurpose } from '../../src/platform/lifecycle/periodic-task';
import { TestApp } from '../support/test-app';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';
import type { Line } from '../support/line';
import { hasRedis, openRedisLine } from '../support/test-redis';

@Module({})
class ServerModule {}

const CHECKS = { database: 'ok', migrations: 'ok', redis: 'not used' };

describe('health', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;

  beforeEach(async () => {
    database = await createTestDatabase();
    const imports = [
      ConfigModule.forRoot(loadConfig({ ...database.env })),
      ClockModule.forRoot(new Clock()),
      HooksModule,
      LifecycleModule.forRoot(new ProcessPurpose(false)),
      DatabaseModule.forRoot({ tables: {} }),
      EventsModule,
      HttpModule.forRootAsync({ useFactory: () => ({ rateLimitPerMinute: 1 }) }),
      JobsModule,
      HealthModule,
    ];
    const adapter = new FastifyAdapter(fastifyOptions());
    prepareFastify(adapter.getInstance());
    app = await NestFactory.create({ module: ServerModule, imports }, adapter, {
      bodyParser: false,
      logger: false,
    });
    await app.init();
  });

  afterEach(async () => {
    await app.close();
    await database.drop();
  });

  const ask = async (path: string): Promise<[status: number, body: unknown]> => {
    const answer = await app.inject({ method: 'GET', url: `/health/${path}` });
    return [answer.statusCode, answer.json()];
  };

  it('is told to anybody, as often as they like', async () => {
    for (let request = 0; request < 150; request++) {
      await expect(ask('live')).resolves.toEqual([200, { status: 'live' }]);
    }
    await expect(ask('ready')).resolves.toEqual([200, { status: 'ready', checks: CHECKS }]);
  });

  it('is not ready with tables of another version, unless that one allows it', async () => {
    const transactions = app.get(TransactionService, { strict: false });
    await transactions.run((tx) => tx.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`));
    await expect(ask('ready')).resolves.toEqual([200, { status: 'ready', checks: CHECKS }]);
    await transactions.run((tx) => writeState(tx, 'oldest_release', '99.0.0'));
    await expect(ask('ready')).resolves.toEqual([
      503,
      {
        status: 'not ready',
        checks: { ...CHECKS, migrations: 'other version' },
        problems: ['The tables are not those of this version.'],
      },
    ]);
    await expect(ask('live')).resolves.toEqual([200, { status: 'live' }]);
  });

  it('is not ready when the database fails', async () => {
    const transactions = app.get(TransactionService, { strict: false });
    await transactions.run((tx) => tx.query('DROP TABLE migrations'));
    await expect(ask('ready')).resolves.toEqual([
      503,
      {
        status: 'not ready',
        checks: { ...CHECKS, database: 'down', migrations: 'unknown' },
        problems: ['The database does not respond.'],
      },
    ]);
    await expect(ask('live')).resolves.toEqual([200, { status: 'live' }]);
  });

  it('is not ready once the server stops', async () => {
    app.get(ShutdownSignal).onModuleDestroy();
    await expect(ask('ready')).resolves.toEqual([
      503,
      { status: 'not ready', problems: ['The server is stopping.'] },
    ]);
  });
});

(hasPostgres ? describe : describe.skip)('health of a node that uses Redis', () => {
  let line: Line;
  let app: TestApp;

  beforeAll(async () => {
    line = await openRedisLine();
  });

  const start = async (env: Record<string, string> = {}) => {
    app = await TestApp.start({ engine: 'postgres', env: { REDIS_URL: line.url, ...env } });
  };

  afterEach(async () => {
    line.mend();
    await app.stop();
  });

  afterAll(() => line.close());

  const ready = async (): Promise<[status: number, body: { checks: { redis: string } }]> => {
    const answer = await app.nest.inject({ method: 'GET', url: '/health/ready' });
    return [answer.statusCode, answer.json()];
  };

  it('is well while Redis answers, and goes on with a warning while it does not', async () => {
    await start();
    if (await hasRedis()) {
      while ((await ready())[1].checks.redis !== 'ok') await new Promise(setImmediate);
      expect(await ready()).toEqual([200, { status: 'ready', checks: { ...CHECKS, redis: 'ok' } }]);
    }
    line.cut();
    expect(await ready()).toEqual([
      200,
      { status: 'ready', checks: { ...CHECKS, redis: 'down' }, warnings: ['Redis does not answer.'] },
    ]);
    const figures = await app.nest.inject({ method: 'GET', url: '/metrics' });
    expect(figures.body).toMatch(/^parley_redis_up 0$/m);
  });

  it('is not ready without Redis where the operator wants it so', async () => {
    line.cut();
    await start({ READY_NEEDS_REDIS: 'true' });
    expect(await ready()).toEqual([
      503,
      { status: 'not ready', checks: { ...CHECKS, redis: 'down' }, problems: ['Redis does not answer.'] },
    ]);
  });
});
