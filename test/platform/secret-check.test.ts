import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Clock, ClockModule } from '../../src/platform/clock';
import { loadConfig } from '../../src/platform/config/load-config';
import { ConfigModule } from '../../src/platform/config/config.module';
import { DatabaseModule } from '../../src/platform/database/database.module';
import { EventsModule } from '../../src/platform/events/events.module';
import { Hooks, HooksModule } from '../../src/platform/hooks/hooks';
import { ApiKeys } from '../../src/platform/secrets/api-keys';
import { SecretMismatch } from '../../src/platform/secrets/secret-check.service';
import { secretChanged } from '../../src/platform/secrets/server-secret';
import { SecretsModule } from '../../src/platform/secrets/secrets.module';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

@Module({})
class ServerModule {}

describe('the secret and its database', () => {
  let database: TestDatabase;
  let dataDir: string;
  let server: INestApplication | undefined;
  /** How often features were told that there is another secret. */
  let changes = 0;
  const nonce = ApiKeys.newNonce();

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = mkdtempSync(join(tmpdir(), 'parley-secret-'));
  });

  afterEach(async () => {
    await stop();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** @returns the lines that were logged */
  async function start(env: Record<string, string> = {}): Promise<string[]> {
    const config = loadConfig({ DATA_DIR: dataDir, ...database.env, ...env });
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const imports = [
      ConfigModule.forRoot(config),
      ClockModule.forRoot(new Clock()),
      DatabaseModule.forRoot({ tables: {} }),
      EventsModule,
      HooksModule,
      SecretsModule,
    ];
    const logger = { log: () => undefined, warn: write, error: write };
    const adapter = new FastifyAdapter();
    server = await NestFactory.create({ module: ServerModule, imports }, adapter, { logger });
    server.get(Hooks).on(secretChanged, () => void (changes += 1));
    await server.init();
    return lines;
  }

  async function stop(): Promise<void> {
    await server?.close();
    server = undefined;
  }

  function secretFile(): string {
    return join(database.env.DATA_DIR ?? dataDir, 'secret');
  }

  it('belong together from the first start on', async () => {
    await start();
    const key = server?.get(ApiKeys).apiKeyFor(nonce);
    await stop();
    await start();
    expect(server?.get(ApiKeys).apiKeyFor(nonce)).toBe(key);
  });

  it('stop a start with another secret, and leave everything as it was', async () => {
    await start();
    await stop();
    await expect(start({ SECRET_KEY: 'another'.repeat(5) })).rejects.toThrow(
      /^The secret in SECRET_KEY does not belong to this database, and no API key would work/,
    );
    await stop();
    await expect(start()).resolves.toBeDefined();
  });

  it('stop a start whose secret was lost, and make no new one', async () => {
    await start();
    await stop();
    rmSync(secretFile());
    await expect(start()).rejects.toThrow(/Put the previous secret back/);
    expect(existsSync(secretFile())).toBe(false);
  });

  it('stop a start whose database was lost, unless a new organization is meant', async () => {
    const other = await createTestDatabase();
    const folder = other.env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'parley-secret-'));
    const env = { DATA_DIR: folder, ...other.env };
    writeFileSync(join(folder, 'secret'), 'k'.repeat(43));
    try {
      for (let tries = 1; tries <= 2; tries++) {
        await expect(start(env)).rejects.toThrow(
          /^The database is empty: .* "parley init --keep-secret" \(or KEEP_SECRET=true\)/,
        );
        await stop();
      }
      expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('k'.repeat(43));
      await start({ ...env, KEEP_SECRET: 'true' });
      await stop();
      await expect(start(env)).resolves.toBeDefined();
      await stop();
    } finally {
      await other.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('part when the change is meant: both secrets serve until the former is taken away', async () => {
    await start();
    const formerKey = server?.get(ApiKeys).apiKeyFor(nonce) ?? '';
    await stop();
    const SECRET_KEY = 'n'.repeat(40);
    const SECRET_KEY_PREVIOUS = readFileSync(secretFile(), 'utf8').trim();
    changes = 0;

    const lines = await start({ SECRET_KEY, SECRET_KEY_PREVIOUS });
    expect(lines).toEqual([expect.stringMatching(/^The secret was changed\./)]);
    expect(server?.get(ApiKeys).matches(nonce, formerKey)).toBe(true);
    await stop();

    await expect(start({ SECRET_KEY })).resolves.toEqual([]);
    expect(server?.get(ApiKeys).matches(nonce, formerKey)).toBe(false);
    expect(changes).toBe(1);
    await stop();
    await expect(start()).rejects.toThrow(SecretMismatch);
  });

  it('are reported where nodes could not agree on the secret', async () => {
    const lines = await start();
    const expected = database.engine === 'postgres' ? [expect.stringMatching(/^SECRET_KEY is not set/)] : [];
    expect(lines).toEqual(expected);
    await stop();
    await expect(start({ SECRET_KEY: readFileSync(secretFile(), 'utf8').trim() })).resolves.toEqual([]);
  });
});
