import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Type, Abstract } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.factory';
import { FirstStartService } from '../../src/features/organization/first-start.service';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import type { NewAccount } from '../../src/features/users/accounts/accounts.service';
import type { Clock } from '../../src/platform/clock';
import { loadConfig } from '../../src/platform/config/load-config';
import type { LogDestination } from '../../src/platform/logging/logger-options';
import { type Transaction, TransactionService } from '../../src/platform/database/transaction.service';
import { ApiKeys } from '../../src/platform/secrets/api-keys';
import { ApiClient, type Credentials, type Parameters } from './api-client';
import { CompanionClient } from './companion-client';
import { addAccount, createCast, OWNER_EMAIL, PASSWORD, type Cast, type Member } from './cast';
import {
  captureTransient,
  EventCapture,
  type CapturedEvent,
  type CapturedTransientEvent,
} from './event-capture';
import { RunningLaw } from './running-law';
import { StateLaw } from './state-law';
import { createMigratedDatabase, type TestEngine } from './test-database';
import { writeContractRecord } from './contract/running-check';
import { TestQueue } from './test-queue';
import { closeOtherWays, wayInEnvironment } from './way-in';

type Environment = Readonly<Record<string, string>>;

/** Options of the server under test. */
export interface TestAppOptions {
  /** Environment variables in addition to those of every test server; may depend on those of its database. */
  readonly env?: Environment | ((database: Environment) => Environment);
  /** The engine of its database; by default that of this run. */
  readonly engine?: TestEngine;
  /** The clock; the system's by default. */
  readonly clock?: Clock;
  /** Receives log lines; nothing is logged unless `env` sets another `LOG_LEVEL`. */
  readonly log?: LogDestination;
  /** Why the law of clients ({@link RunningLaw}) is not checked; checked if omitted. */
  readonly withoutLaw?: string;
}

/**
 * The real application on a separate real database, with an organization and a cast of people. Start one for each test
 * file (`beforeAll`) and stop it in `afterAll`.
 */
export class TestApp {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly cast: Cast,
    private readonly env: Readonly<Record<string, string>>,
    /** Removes the server's files and database. */
    private readonly cleanUp: () => Promise<void>,
    withoutLaw?: string,
  ) {
    const testFile = expect.getState().testPath;
    this.law = withoutLaw === undefined && testFile ? new RunningLaw(this, basename(testFile)) : null;
  }

  private readonly law: RunningLaw | null;

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
    const besideIt = `${folder}-way-in`;
    const data = { DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const database = await createMigratedDatabase(async (env) => {
      // From the environment, because a secret in the folder would belong to this database.
      await (await createApp(loadConfig({ ...data, ...env, SECRET_KEY: 'template'.repeat(4) }))).close();
    }, options.engine);
    const env = {
      ...data,
      PORT: '0',
      EXTERNAL_URL: 'http://chat.example.com',
      OWNER_EMAIL,
      OWNER_PASSWORD: PASSWORD,
      RATE_LIMIT_PER_MINUTE: '0',
      // Nothing needs to survive a power cut.
      SQLITE_SYNCHRONOUS: 'normal',
      ...database.env,
      ...(await wayInEnvironment(besideIt)),
      ...(typeof options.env === 'function' ? options.env(database.env) : options.env),
    };
    const nest = await startNode(env, options);
    const cleanUp = async () => {
      await database.drop();
      for (const each of [folder, besideIt]) rmSync(each, { recursive: true, force: true });
    };
    const cast = await createCast(nest);
    await closeOtherWays(nest, besideIt, env);
    return new TestApp(nest, cast, env, cleanUp, options.withoutLaw);
  }

  /** A second node on the same database; PostgreSQL only. Stop it before the first. */
  async anotherNode(
    changed: Environment = {},
    options: Pick<TestAppOptions, 'clock'> = {},
  ): Promise<TestApp> {
    const cleanUp = async () => undefined;
    const env = { ...this.env, ...changed };
    return new TestApp(
      await startNode(env, options),
      this.cast,
      env,
      cleanUp,
      'the first node is held to it',
    );
  }

  /**
   * Restarts the server on the same data, for example after a change of its settings.
   * @returns the new server, which must be stopped at the end
   */
  async restarted(options: Pick<TestAppOptions, 'clock'> = {}): Promise<TestApp> {
    await this.law?.end();
    await this.nest.close();
    const nest = await startNode(this.env, options);
    return new TestApp(nest, this.cast, this.env, this.cleanUp, 'clients were told by the server before');
  }

  /** @throws Error if events left clients in a wrong state ({@link RunningLaw}) */
  async stop(): Promise<void> {
    try {
      await this.law?.end();
      writeContractRecord();
    } finally {
      await this.nest.close();
      await this.cleanUp();
    }
  }

  /** A service behind the interface, for setup that the interface cannot do and for inspection. */
  get<T>(token: Type<T> | Abstract<T>): T {
    return this.nest.get<T>(token, { strict: false });
  }

  /** Calls as this account, with its current key. */
  as(member: Pick<Member, 'id'>): ApiClient {
    return new ApiClient(this.nest, this.credentialsOf(member), () => this.beginLaw());
  }

  /** Calls as this account to inspect the result. */
  onlooker(member: Pick<Member, 'id'>): ApiClient {
    return new ApiClient(this.nest, this.credentialsOf(member), () => Promise.resolve(), false);
  }

  isActive(member: Pick<Member, 'id'>): boolean {
    return this.get(AccountDirectory).byId(member.id)?.isActive ?? false;
  }

  credentialsOf(member: Pick<Member, 'id'>): Credentials {
    const account = this.get(AccountDirectory).byId(member.id);
    if (!account) throw new Error(`Unknown account ${member.id}.`);
    const apiKey = this.get(ApiKeys).apiKeyFor(account.keyNonce);
    return { email: account.deliveryEmail, apiKey };
  }

  /** Calls with the given credentials, or without any. */
  client(credentials: { email: string; apiKey: string } | null = null): ApiClient {
    return new ApiClient(this.nest, credentials, () => this.beginLaw());
  }

  /** Runs work that writes behind the interface, without events for clients. */
  async behindTheInterface<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.law?.end();
    return work();
  }

  /** Writes rows behind the interface. */
  writeRows<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.behindTheInterface(() => this.get(TransactionService).runExclusive(work));
  }

  /** Adds one account of any kind, in the groups of its role and in no channel. */
  addAccount(account: NewAccount): Promise<Member> {
    return addAccount(this.nest, account);
  }

  /** Signs in to the companion interface as this person. */
  companionAs(member: Pick<Member, 'email'>): Promise<CompanionClient> {
    return this.companion().signIn(member.email, PASSWORD);
  }

  /** Calls the companion interface without a token. */
  companion(): CompanionClient {
    return new CompanionClient(this.nest, null, () => this.beginLaw());
  }

  /** Registers a client of this account; the parameters are those of `POST /register`. */
  queue(member: Pick<Member, 'id'>, parameters: Parameters = {}): Promise<TestQueue> {
    return TestQueue.register(this.as(member), parameters);
  }

  private async beginLaw(): Promise<void> {
    await this.law?.begin();
  }

  /** Runs the work while clients of all roles watch, and asserts that their state is correct ({@link StateLaw}). */
  async expectLaw<Result>(work: () => Promise<Result>): Promise<Result> {
    const law = await StateLaw.watch(this);
    const result = await work();
    await law.check();
    return result;
  }

  /** Runs the work and returns the events that it wrote, in order, except those that no client receives. */
  async captureEvents(work: () => Promise<unknown>): Promise<CapturedEvent[]> {
    const capture = await EventCapture.begin(this.nest);
    await work();
    return capture.events();
  }

  /** Runs the work and returns the transient events that it published, in order. */
  captureTransient(work: () => Promise<unknown>): Promise<CapturedTransientEvent[]> {
    return captureTransient(this.nest, work);
  }
}

async function startNode(
  env: Readonly<Record<string, string>>,
  { clock, log }: Pick<TestAppOptions, 'clock' | 'log'> = {},
): Promise<NestFastifyApplication> {
  const nest = await createApp(loadConfig(env), { clock, log });
  await nest.init();
  await nest.get(FirstStartService).run();
  return nest;
}
