import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type, Abstract } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.factory';
import { FirstStartService } from '../../src/features/admin/first-start.service';
import { AccountDirectory } from '../../src/features/users/account.directory';
import type { Clock } from '../../src/platform/clock';
import { loadConfig } from '../../src/platform/config/config';
import { ApiKeys } from '../../src/platform/secrets/api-keys';
import { ApiClient } from './api-client';
import { createCast, OWNER_EMAIL, PASSWORD, type Cast, type Member } from './cast';
import { EventCapture, type CapturedEvent } from './event-capture';
import { createTestDatabase, type TestDatabase } from './test-database';

/** What a test may choose about the server it runs against. */
export interface TestAppOptions {
  /** Environment variables on top of those every test server has. */
  readonly env?: Readonly<Record<string, string>>;
  /** What time it is; the system's time if not given. */
  readonly clock?: Clock;
}

/**
 * The real application on a real database of its own, with an organization and a cast of people. Start
 * one for each test file (`beforeAll`) and stop it in `afterAll`.
 */
export class TestApp {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly cast: Cast,
    private readonly database: TestDatabase,
    private readonly folder: string,
  ) {}

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
    const config = loadConfig({
      DATA_DIR: folder,
      PORT: '0',
      EXTERNAL_URL: 'http://chat.example.com',
      LOG_LEVEL: 'silent',
      OWNER_EMAIL,
      OWNER_PASSWORD: PASSWORD,
      RATE_LIMIT_PER_MINUTE: '0',
      ...database.env,
      ...options.env,
    });
    const nest = await createApp(config, { clock: options.clock });
    await nest.init();
    await nest.get(FirstStartService).run();
    return new TestApp(nest, await createCast(nest), database, folder);
  }

  async stop(): Promise<void> {
    await this.nest.close();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The service behind the interface, for set-up that the interface cannot do and for looking inside. */
  get<T>(token: Type<T> | Abstract<T>): T {
    return this.nest.get<T>(token, { strict: false });
  }

  /** Calls as this account, with its key as it is now. */
  as(member: Pick<Member, 'id'>): ApiClient {
    const account = this.get(AccountDirectory).byId(member.id);
    if (!account) throw new Error(`There is no account ${member.id}.`);
    const apiKey = this.get(ApiKeys).apiKeyFor(account.keyNonce);
    return new ApiClient(this.nest, { email: account.deliveryEmail, apiKey });
  }

  /** Calls with the given credentials, or with none. */
  client(credentials: { email: string; apiKey: string } | null = null): ApiClient {
    return new ApiClient(this.nest, credentials);
  }

  /** Runs the work and returns the events that it wrote, in order, without those no client sees. */
  async captureEvents(work: () => Promise<unknown>): Promise<CapturedEvent[]> {
    const capture = await EventCapture.begin(this.nest);
    await work();
    return capture.events();
  }
}
