import { randomUUID } from 'node:crypto';
import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import type { CommittedReads } from '../sql/queryable';
import type { Metrics } from '../metrics/metrics';
import { answerWithin } from '../clock';

/** What nodes tell each other. */
type Topic = 'wake-up' | 'transient' | 'queue-taken';

/** Told what another node published. */
type LinkListener = (text: string) => void;

/** After a lost connection, a try at least this often. */
const LONGEST_PAUSE_MS = 2_000;

/** Most commands have a waiting request, and everything works without Redis. */
const PATIENCE_MS = 1_000;

/** How often each connection is checked: a broken line is not closed by itself. */
const ASK_EVERY_MS = 2_000;

/** A connection that says nothing for this long is given up, and another one made. */
const SILENT_FOR_MS = 2_000;

/** A Redis that does not take a connection within this time is tried again. */
const CONNECT_WITHIN_MS = 3_000;

/**
 * What the nodes on one database share in Redis: short texts for each other, and keys. Best effort: a text is lost
 * where Redis or a connection to it is down, so nothing may depend on it but how soon something is noticed.
 */
export class RedisLink implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Redis');
  private readonly nodeId = randomUUID();
  private readonly listeners = new Map<Topic, LinkListener>();
  private publisher: Redis | undefined;
  private subscriber: Redis | undefined;
  private asking: NodeJS.Timeout | undefined;
  private prefix = '';

  constructor(
    private readonly url: string,
    private readonly database: CommittedReads,
    metrics: Metrics,
  ) {
    metrics.gauge('parley_redis_up', 'Whether Redis answers.', async () => Number(await this.answers()));
  }

  /** Does not wait for Redis: a server without it is slower, and serves. */
  async onModuleInit(): Promise<void> {
    this.prefix = `parley:${await this.installation()}:`;
    this.publisher = this.connect({
      enableOfflineQueue: false,
      // What was under way when the connection was lost fails at once, in place of when it is back.
      maxRetriesPerRequest: 0,
    });
    this.subscriber = this.connect({ maxRetriesPerRequest: null });
    this.subscriber.on('message', (channel: string, text: string) => this.hear(channel, text));
    const channels = [...this.listeners.keys()].map((topic) => this.key(topic));
    // Waits for the connection; after each lost one, the client subscribes again by itself.
    this.subscriber.subscribe(...channels).catch((error: unknown) => this.logger.warn(error));
    const clients = [this.publisher, this.subscriber];
    this.asking = setInterval(() => clients.forEach(renewWhereSilent), ASK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.asking);
    this.publisher?.disconnect();
    this.subscriber?.disconnect();
  }

  /** To be called before the module starts; one listener a topic. */
  listen(topic: Topic, listener: LinkListener): void {
    this.listeners.set(topic, listener);
  }

  /** Tells the other nodes. Does not throw. */
  publish(topic: Topic, text: string): void {
    // Without a connection there are no other nodes to tell.
    this.ask((redis) => redis.publish(this.key(topic), `${this.nodeId} ${text}`)).catch(() => undefined);
  }

  /**
   * Carries out commands.
   * @throws soon, where Redis is down or does not answer
   */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    if (this.publisher?.status !== 'ready') throw new Error('Not connected to Redis.');
    return answerWithin(PATIENCE_MS, question(this.publisher));
  }

  /** The name of a key of this database; several may share one Redis. */
  key(...words: readonly string[]): string {
    return this.prefix + words.join(':');
  }

  /** Whether Redis answers. */
  async answers(): Promise<boolean> {
    try {
      await this.ask((redis) => redis.ping());
      return true;
    } catch {
      return false;
    }
  }

  /** How many nodes listen to each other here; null where Redis does not say. */
  async countNodes(): Promise<number | null> {
    try {
      const [, count] = await this.ask((redis) => redis.pubsub('NUMSUB', this.key('wake-up')));
      return Number(count);
    } catch {
      return null;
    }
  }

  private hear(channel: string, message: string): void {
    const space = message.indexOf(' ');
    if (message.slice(0, space) === this.nodeId) return;
    try {
      this.listeners.get(channel.slice(this.prefix.length) as Topic)?.(message.slice(space + 1));
    } catch (error) {
      this.logger.error(error);
    }
  }

  private async installation(): Promise<string> {
    const [row] = await this.database.read.query<{ value: string }>(
      "SELECT value FROM server_state WHERE key = 'installation'",
    );
    return (row as { value: string }).value;
  }

  private connect(options: RedisOptions): Redis {
    const client = new (loadRedis())(this.url, {
      ...options,
      connectTimeout: CONNECT_WITHIN_MS,
      // To whom nobody listens, nobody says good-bye.
      disconnectTimeout: 100,
      retryStrategy: (attempts) => Math.min(attempts * 100, LONGEST_PAUSE_MS),
    });
    let isDown = false;
    client.on('ready', () => {
      if (isDown) this.logger.log('Reconnected to Redis.');
      isDown = false;
    });
    client.on('error', (error: Error) => {
      if (!isDown)
        this.logger.warn(`Cannot reach Redis; other nodes see changes with a delay: ${error.message}`);
      isDown = true;
    });
    return client;
  }
}

/** Makes another connection where this one leads nowhere any more. */
function renewWhereSilent(client: Redis): void {
  if (client.status !== 'ready') return;
  const asked = client.stream;
  answerWithin(SILENT_FOR_MS, client.ping()).catch(() => {
    // Another one may have been made meanwhile.
    if (client.stream === asked) client.disconnect(true);
  });
}

/** Takes time and memory that a server without other nodes need not spend. */
function loadRedis(): typeof Redis {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at run time, see above
  return (require('ioredis') as { Redis: typeof Redis }).Redis;
}
