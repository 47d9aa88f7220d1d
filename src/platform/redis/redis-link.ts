import { randomUUID } from 'node:crypto';
import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { createClient, RedisClientType, RedisClientOptions } from '@redis/client';
import type { CommittedReads } from '../sql/queryable';
import type { Metrics } from '../metrics/metrics';
import { answerWithin } from '../clock';

/** A client of Redis, with the second version of its protocol, which all versions of Redis speak. */
export type Redis = RedisClientType<None, None, None, 2>;

type None = Record<never, never>;

type Options = RedisClientOptions<None, None, None, 2>;

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

/** Number of checks in a row that may find a connection not ready. */
const LONGEST_OPENING = 3;

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
  private publisher: Connection | undefined;
  private subscriber: Connection | undefined;
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
    // What is asked for without a connection fails at once, in place of when it is back.
    const publisher = new Connection(this.url, { disableOfflineQueue: true }, this.logger);
    const channels = [...this.listeners.keys()].map((topic) => this.key(topic));
    const subscriber = new Connection(this.url, {}, this.logger, (redis) =>
      redis.subscribe(channels, (text, channel) => this.hear(channel, text)),
    );
    this.publisher = publisher;
    this.subscriber = subscriber;
    this.asking = setInterval(() => {
      publisher.renewIfSilent();
      subscriber.renewIfSilent();
    }, ASK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.asking);
    this.publisher?.end();
    this.subscriber?.end();
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
    const redis = this.publisher?.client;
    if (!redis?.isReady) throw new Error('Not connected to Redis.');
    return answerWithin(PATIENCE_MS, question(redis));
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
      const channel = this.key('wake-up');
      const counts = await this.ask((redis) => redis.pubSubNumSub([channel]));
      return Number(counts[channel]);
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
}

/** A connection that is made again whenever it is lost, or leads nowhere any more. */
class Connection {
  client: Redis;
  private opening = 0;
  private isDown = false;

  /** @param onOpen what to do with each client; it holds what was asked for, such as subscriptions, when it reconnects */
  constructor(
    private readonly url: string,
    private readonly options: Options,
    private readonly logger: Logger,
    private readonly onOpen?: (client: Redis) => Promise<unknown>,
  ) {
    this.client = this.open();
  }

  /**
   * Connects anew where Redis has not answered for {@link SILENT_FOR_MS}, or where {@link LONGEST_OPENING} checks have found
   * it not ready: it may have accepted the connection and then said nothing.
   */
  renewIfSilent(): void {
    const { client } = this;
    this.opening = client.isReady ? 0 : this.opening + 1;
    if (this.opening > LONGEST_OPENING) this.renew();
    if (!client.isReady) return;
    answerWithin(SILENT_FOR_MS, client.ping()).catch(() => {
      // It may have been given up since, or have noticed by itself.
      if (this.client === client && client.isReady) this.renew();
    });
  }

  end(): void {
    if (this.client.isOpen) this.client.destroy();
  }

  private renew(): void {
    this.end();
    this.opening = 0;
    this.client = this.open();
  }

  private open(): Redis {
    const client: Redis = loadRedis()({
      ...this.options,
      url: this.url,
      RESP: 2,
      // Neither is of use here, and older versions of Redis know neither.
      disableClientInfo: true,
      maintNotifications: 'disabled',
      socket: {
        connectTimeout: CONNECT_WITHIN_MS,
        reconnectStrategy: (attempts) => Math.min((attempts + 1) * 100, LONGEST_PAUSE_MS),
      },
    });
    client.on('ready', () => {
      if (this.isDown) this.logger.log('Reconnected to Redis.');
      this.isDown = false;
    });
    client.on('error', (error: Error) => this.warn(error));
    // Both wait for a connection, and fail when the server stops before there is one.
    client.connect().catch(() => undefined);
    this.onOpen?.(client).catch((error: unknown) => client.isOpen && this.logger.warn(error));
    return client;
  }

  private warn({ message }: Error): void {
    if (!this.isDown)
      this.logger.warn(`Cannot reach Redis; other nodes see changes with a delay: ${message}`);
    this.isDown = true;
  }
}

/** Takes time and memory that a server without other nodes need not spend. */
function loadRedis(): (options: Options) => Redis {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at run time, see above
  return (require('@redis/client') as { createClient: typeof createClient }).createClient;
}
