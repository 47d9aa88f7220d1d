import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port';
import { compiledServer } from '../support/compiled-server';
import { ServerProcess } from '../support/server-process';
import { SoakBot, type SoakAccess } from '../support/soak-bot';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** A minute in CI, ten in the long form: `SOAK_SECONDS=600 npx jest test/soak`. */
const SECONDS = Number(process.env.SOAK_SECONDS || 20);
const BOTS = 50;
const CHANNELS = 5;
const TOPICS = 3;

jest.setTimeout((SECONDS + 280) * 1000);

describe('Fifty bots talking', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Readonly<Record<string, string>>;
  let server: ServerProcess;
  let site: string;
  let owner: SoakAccess;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-soak-'));
    env = {
      DATA_DIR: folder,
      PORT: await freePort(),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
      SHUTDOWN_TIMEOUT_SECONDS: '2',
      ...database.env,
    };
    site = (await startServer()).origin;
    const zuliprc = readFileSync(join(env.DATA_DIR ?? folder, 'zuliprc'), 'utf8');
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] as string;
    owner = { site, email: setting('email'), apiKey: setting('key') };
  });

  afterAll(async () => {
    server.signal('SIGKILL');
    await server.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function startServer(): Promise<URL> {
    server = new ServerProcess([compiledServer()], { env });
    return server.ready();
  }

  async function asOwner(
    path: string,
    parameters: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const form = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const response = await fetch(`${site}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`,
      },
      body: new URLSearchParams(form),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  async function makeBots(): Promise<{ bots: SoakBot[]; channelIds: number[] }> {
    const accounts = [];
    for (let i = 0; i < BOTS; i++) {
      const made = await asOwner('bots', { full_name: `Bot ${i}`, short_name: `bot${i}` });
      accounts.push({ userId: made.user_id as number, apiKey: made.api_key as string, index: i });
    }
    const channelIds: number[] = [];
    for (let i = 0; i < CHANNELS; i++) {
      const subscribers = accounts.map(({ userId }) => userId);
      const made = await asOwner('channels/create', { name: `talk ${i}`, subscribers });
      channelIds.push(made.id as number);
    }
    const bots = accounts.map(
      ({ index, apiKey }) => new SoakBot({ site, email: `bot${index}-bot@parley.localhost`, apiKey }),
    );
    return { bots, channelIds };
  }

  it('see every message exactly once while the server is stopped, killed and started', async () => {
    const { bots, channelIds } = await makeBots();
    await Promise.all(bots.map((bot) => bot.start()));

    const end = Date.now() + SECONDS * 1000;
    const talk = async (bot: SoakBot, index: number) => {
      for (let turn = 0; Date.now() < end; turn++) {
        const channelId = channelIds[(index + turn) % CHANNELS] as number;
        await bot.send(channelId, `topic ${turn % TOPICS}`, `${index}/${turn}`);
        await pause(1500 + Math.random() * 1000);
      }
    };
    const talking = Promise.all(bots.map(talk));
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await pause((SECONDS * 1000) / 4);
      server.signal(signal);
      await server.exitCode();
      await startServer();
    }
    await talking;

    const sent = bots.flatMap((bot) => bot.sent).sort((a, b) => a - b);
    await Promise.all(bots.map((bot) => bot.finish(sent.length, 60_000)));
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThan(BOTS);
    for (const bot of bots) {
      expect(bot.seen.map(({ id }) => id).sort((a, b) => a - b)).toEqual(sent);
      const newest = new Map<string, number>();
      for (const { id, stream_id, subject } of bot.seen) {
        const topic = `${stream_id} ${subject}`;
        expect(id).toBeGreaterThan(newest.get(topic) ?? 0);
        newest.set(topic, id);
      }
    }
  });
});
