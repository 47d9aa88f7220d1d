import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../app.factory';
import { ServerStartService } from '../../features/realtime/realtime.module';
import { TransactionService } from '../../platform/database/transaction.service';
import { EventLogReader } from '../../platform/events/event-log-reader';
import { Jobs } from '../../platform/jobs/jobs.service';
import { LoadedModules, namingModules } from '../../platform/modules/load-modules';
import { stopGracefully } from '../../platform/lifecycle/graceful-stop';
import { explainListenFailure } from '../../platform/config/start-refused';
import { RELEASES } from '../levels/older-release';
import { Baseline } from './baseline';
import { KeptStart } from './kept-start';
import { LOOPBACK, makeMemoryFolder, testConfig } from './test-settings';
import { MovableClock } from './movable-clock';
import { Outage } from './outage';
import type { Faults } from './faults';
import type { InnerCaller } from './inner-caller';
import type { Journal } from './journal';
import type { PersonAnswer, ServerPeople } from './server-people';
import { type Surroundings, makeCast, surround } from './surroundings';
import { TEST_ROUTES, TestRequestRefused, timeIn } from './request-checks';
import type { ClockRequest, RoutedServer } from './test-routes';
import { WorldBuilder } from './world-builder';
import type { WorldDocument } from './world-document';

/** Pending work ends within this time, or something is wrong. */
const PATIENCE_MS = 15_000;

/** How long pending requests may take when the server stops. */
const STOPPING_SECONDS = 1;

/** Start options of a {@link TestServer}. */
export interface TestServerOptions {
  /** 0 lets the system assign a free one. */
  readonly port?: number;
  /** Initial organization, in addition to the cast. */
  readonly world?: unknown;
  /** Folders of modules to load. */
  readonly modules?: readonly string[];
  /** Feature level of the release to emulate; the newest if omitted. */
  readonly level?: number;
}

/**
 * The whole server, for tests of its clients: with a cast whose keys are always the same, a movable clock, a journal,
 * injected faults, and a reset. It listens only on this machine, and persists nothing.
 */
export class TestServer implements RoutedServer {
  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly around: Surroundings,
    private readonly folder: string,
    private readonly baseline: Baseline,
    private readonly outage: Outage,
    /** A copy with only the cast, from which every world starts. */
    private readonly cast: { readonly file: string; readonly names: [string, string][] },
    readonly url: string,
  ) {
    this.names = cast.names;
  }

  /** Short names and addresses to restore on a reset. */
  private names: readonly [string, string][];

  static async start({
    port: asked = 0,
    world,
    modules = [],
    level,
  }: TestServerOptions = {}): Promise<TestServer> {
    requireLevel(level);
    const folder = makeMemoryFolder();
    let app: NestFastifyApplication | undefined;
    try {
      const kept = new KeptStart();
      const start = kept.fill(folder);
      const clock = new MovableClock();
      // The port is part of the URLs sent to clients.
      const port = asked === 0 ? await freePort() : asked;
      app = await createApp(testConfig(folder, port, modules), { clock, log: process.stderr });
      const running = app;
      const parts: { server?: TestServer } = {};
      const around = surround(running, clock, level, () => parts.server as TestServer);
      await namingModules(running.get(LoadedModules).all, () => running.init());
      const baseline = new Baseline(running, folder);
      const names = start?.names ?? (await makeCast(running, around));
      // The cached start has no tables of modules.
      const isPlain = modules.length === 0;
      const file = start && isPlain ? baseline.adopt(start.file) : await baseline.copy();
      if (!start && isPlain) kept.keep(file, names);
      around.people.replace(names);
      await baseline.use(file);
      around.journal.listenTo(running);
      await running
        .listen({ port, host: LOOPBACK, listenTextResolver: (address) => `Opened ${address}.` })
        .catch((error: unknown) => {
          throw explainListenFailure(error, { host: LOOPBACK, port });
        });
      const outage = new Outage(running.getHttpServer());
      const url = await running.getUrl();
      const server = new TestServer(running, around, folder, baseline, outage, { file, names }, url);
      parts.server = server;
      if (world !== undefined) await server.takeWorld(world);
      return server;
    } catch (error) {
      await app?.close();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get people(): ServerPeople {
    return this.around.people;
  }

  get journal(): Journal {
    return this.around.journal;
  }

  get faults(): Faults {
    return this.around.faults;
  }

  get call(): InnerCaller {
    return this.around.call;
  }

  async stop(): Promise<void> {
    await stopGracefully(this.app, STOPPING_SECONDS);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns to the state of the start, or of the last {@link makeWorld}. */
  reset(): Promise<void> {
    return this.around.traffic.alone(() => this.goBack());
  }

  /**
   * Replaces everything but the cast with the document's contents; later resets return to that.
   * @throws {TestRequestRefused} for an impossible document; then only the cast is left
   */
  makeWorld(document: WorldDocument): Promise<Record<string, PersonAnswer>> {
    return this.around.traffic.alone(async () => {
      const { people, call, clock } = this.around;
      await this.useBaseline(this.cast.file, this.cast.names);
      try {
        await new WorldBuilder(this.app, people, call, clock).build(document);
      } catch (error) {
        await this.goBack();
        throw error;
      }
      await this.app.get(Jobs).runDue();
      this.names = people.entries();
      await this.baseline.use(await this.baseline.copy());
      await this.goBack();
      return people.all();
    });
  }

  /** Resolves once everything is delivered, including follow-up work. */
  async settle(): Promise<void> {
    const { traffic } = this.around;
    const deadline = performance.now() + PATIENCE_MS;
    const { jobs, reader, transactions } = this.services();
    for (let quietRounds = 0; quietRounds < 2;) {
      if (performance.now() > deadline) throw new TestRequestRefused('The server does not come to rest.');
      const before = this.journal.newestId;
      await traffic.quiet();
      await jobs.runDue();
      await reader.catchUp();
      const awaitedMs = traffic.awaitedMs;
      if (awaitedMs > 0) await pause(Math.min(awaitedMs, 5));
      const isQuiet = awaitedMs === 0 && transactions.load.waiting === 0 && this.journal.newestId === before;
      quietRounds = isQuiet ? quietRounds + 1 : 0;
    }
  }

  /** The server's time. */
  time(): { now: string; now_ms: number; is_stopped: boolean } {
    const { clock } = this.around;
    const now = clock.nowMs();
    return { now: new Date(now).toISOString(), now_ms: now, is_stopped: clock.isStopped };
  }

  /**
   * Moves the time, and runs all work that is then due.
   * @throws {TestRequestRefused} if it is both to run and to stop
   */
  async moveTime({ run, stop, set, advance_ms, reset }: ClockRequest): Promise<object> {
    const { clock } = this.around;
    if (run && stop)
      throw new TestRequestRefused('The time either runs or stops: leave out "run" or "stop".');
    const time = set === undefined ? undefined : timeIn(set);
    if (reset) clock.reset();
    if (stop) clock.stop();
    if (time !== undefined) clock.set(time);
    if (advance_ms !== undefined) clock.advance(advance_ms);
    if (run) clock.run();
    await clock.wakeWaiting();
    await this.app.get(Jobs).runDue();
    return this.time();
  }

  /** Ends all connections, refuses new ones for a while, then tells clients of a restart. */
  async restart(downMs: number, asking: Socket): Promise<void> {
    await this.outage.play(downMs, asking);
    await this.app.get(ServerStartService, { strict: false }).announce();
  }

  /** @throws {TestRequestRefused} also if the document is invalid */
  private async takeWorld(document: unknown): Promise<void> {
    const { statusCode, payload } = await this.app.inject({
      method: 'POST',
      url: `${TEST_ROUTES}/world`,
      headers: { host: LOOPBACK },
      payload: JSON.stringify(document),
    });
    if (statusCode !== 200) throw new TestRequestRefused((JSON.parse(payload) as { msg: string }).msg);
  }

  private async goBack(): Promise<void> {
    const { clock, faults, journal, people } = this.around;
    await this.app.get(Jobs).runDue();
    clock.reset();
    await this.baseline.restore();
    people.replace(this.names);
    await this.services().reader.catchUp();
    faults.clear();
    journal.clear();
  }

  private async useBaseline(file: string, names: readonly [string, string][]): Promise<void> {
    await this.baseline.use(file);
    this.names = names;
    await this.goBack();
  }

  private services() {
    return {
      jobs: this.app.get(Jobs),
      reader: this.app.get(EventLogReader, { strict: false }),
      transactions: this.app.get(TransactionService, { strict: false }),
    };
  }
}

/** @throws {TestRequestRefused} for the level of no release */
function requireLevel(level: number | undefined): void {
  if (level === undefined || Object.hasOwn(RELEASES, level)) return;
  throw new TestRequestRefused(`No release has the level ${level}, but ${Object.keys(RELEASES).join(', ')}.`);
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
