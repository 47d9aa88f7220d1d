import { randomUUID } from 'node:crypto';
import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { createClient, RedisClientType, RedisClientOptions } from '@redis/client';
import type { CommittedReads } from '../sql/queryable';
import type { Metrics } from '../metrics/metrics';
import { answerWithin } from '../clock';

/** A Redis client with version 2 of the protocol, which all versions of Redis support. */
export type Redis = RedisClientType<None, None, None, 2>;

type None = Record<never, never>;

type Options = RedisClientOptions<None, None, None, 2>;

/** Topics of messages between nodes. */
type Topic = 'wake-up' | 'transient' | 'queue-taken';

/** Receives what another node published. */
type LinkListener = (text: string) => void;

/** Maximum delay between reconnection attempts. */
const LONGEST_PAUSE_MS = 2_000;

/** Most commands have a waiting request, and everything works without Redis. */
const PATIENCE_MS = 1_000;

/** How often each connection is checked: a broken connection does not close by itself. */
const ASK_EVERY_MS = 2_000;

/** A connection that does not answer for this long is replaced. */
const SILENT_FOR_MS = 2_000;

/** Number of consecutive checks that may find a connection not ready. */
const LONGEST_OPENING = 3;

/** Connection timeout, after which another attempt is made. */
const CONNECT_WITHIN_MS = 3_000;

/**
 * What the nodes on one database share in Redis: short messages to each other, and keys. Best effort: a message is lost
 * if Redis or a connection to it is down, so only latency may depend on it.
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

  /** Does not wait for Redis: a server without it is slower, but works. */
  async onModuleInit(): Promise<void> {
    this.prefix = `parley:${await this.installation()}:`;
    // Without a connection, commands fail at once instead of being queued.
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

  /** Call it before the module starts; one listener per topic. */
  listen(topic: Topic, listener: LinkListener): void {
    this.listeners.set(topic, listener);
  }

  /** Publishes to the other nodes. Does not throw. */
  publish(topic: Topic, text: string): void {
    // Without a connection, no other node can be reached.
    this.ask((redis) => redis.publish(this.key(topic), `${this.nodeId} ${text}`)).catch(() => undefined);
  }

  /**
   * Runs commands.
   * @throws soon, if Redis is down or does not answer
   */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.publisher?.client;
    if (!redis?.isReady) throw new Error('Not connected to Redis.');
    return answerWithin(PATIENCE_MS, question(redis));
  }

  /** The name of a key of this database; several databases may share one Redis. */
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

  /** Number of nodes listening on this database; null if Redis does not answer. */
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

/** A connection that is replaced whenever it is lost or no longer responds. */
class Connection {
  client: Redis;
  private opening = 0;
  private isDown = false;

  /** @param onOpen sets up each client; a client keeps what was requested, such as subscriptions, when it reconnects */
  constructor(
    private readonly url: string,
    private readonly options: Options,
    private readonly logger: Logger,
    private readonly onOpen?: (client: Redis) => Promise<unknown>,
  ) {
    this.client = this.open();
  }

  /**
   * Reconnects if Redis has not answered for {@link SILENT_FOR_MS}, or {@link LONGEST_OPENING} checks have found the
   * connection not ready: Redis may have accepted it and then never answered.
   */
  renewIfSilent(): void {
    const { client } = this;
    this.opening = client.isReady ? 0 : this.opening + 1;
    if (this.opening > LONGEST_OPENING) this.renew();
    if (!client.isReady) return;
    answerWithin(SILENT_FOR_MS, client.ping()).catch(() => {
      // The client may have been replaced meanwhile, or have noticed by itself.
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
      // Neither is needed here, and older versions of Redis support neither.
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
    // Both wait for a connection, and fail if the server stops before there is one.
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

/** Loading takes time and memory that a server without other nodes need not spend. */
function loadRedis(): (options: Options) => Redis {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at run time, see above
  return (require('@redis/client') as { createClient: typeof createClient }).createClient;
}
