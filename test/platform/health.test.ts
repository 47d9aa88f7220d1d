import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock } from '../../src/platform/clock';
import { ClockModule } from '../../src/platform/clock.module';
import { loadConfig } from '../../src/platform/config/config';
import { ConfigModule } from '../../src/platform/config/config.module';
import { DatabaseModule } from '../../src/platform/database/database.module';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { EventsModule } from '../../src/platform/events/events.module';
import { HealthModule } from '../../src/platform/health/health.module';
import { fastifyOptions } from '../../src/platform/http/fastify-options';
import { HttpModule } from '../../src/platform/http/http.module';
import { prepareFastify } from '../../src/platform/http/prepare-fastify';
import { LifecycleModule } from '../../src/platform/lifecycle/lifecycle.module';
import { ShutdownSignal } from '../../src/platform/lifecycle/shutdown-signal';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

@Module({})
class ServerModule {}

describe('health', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;

  beforeEach(async () => {
    database = await createTestDatabase();
    const imports = [
      ConfigModule.forRoot(loadConfig({ ...database.env })),
      ClockModule.forRoot(new Clock()),
      LifecycleModule,
      DatabaseModule.forRoot({ entities: [] }),
      EventsModule,
      HttpModule.forRootAsync({ useFactory: () => ({ rateLimitPerMinute: 1 }) }),
      HealthModule,
    ];
    const adapter = new FastifyAdapter(fastifyOptions({ trustedProxies: [] }));
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
    await expect(ask('ready')).resolves.toEqual([200, { status: 'ready' }]);
  });

  it('is not ready with tables of another version', async () => {
    const transactions = app.get(TransactionService, { strict: false });
    await transactions.run((tx) => tx.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`));
    await expect(ask('ready')).resolves.toEqual([
      503,
      { status: 'not ready', problems: ['The tables are not those of this version.'] },
    ]);
    await expect(ask('live')).resolves.toEqual([200, { status: 'live' }]);
  });

  it('is not ready when the database fails', async () => {
    const transactions = app.get(TransactionService, { strict: false });
    await transactions.run((tx) => tx.query('DROP TABLE migrations'));
    await expect(ask('ready')).resolves.toEqual([
      503,
      { status: 'not ready', problems: ['The database does not answer.'] },
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
