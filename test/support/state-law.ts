import type { ApiClient } from './api-client';
import type { Cast } from './cast';
import { ClientModel } from './client-model/client-model';
import type { TestApp } from './test-app';
import { TestQueue } from './test-queue';

/** All client capabilities. */
const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
];

/**
 * The watchers, with the capabilities of their clients; one of each role, and clients from before there were
 * capabilities.
 */
const WATCHERS = {
  owner: ['olivia', CAPABILITIES],
  administrator: ['adam', CAPABILITIES],
  moderator: ['mona', CAPABILITIES],
  member: ['mia', CAPABILITIES],
  guest: ['gus', CAPABILITIES],
  bot: ['robo', CAPABILITIES],
  'older client': ['max', []],
  'older guest': ['gus', []],
} as const satisfies Readonly<Record<string, readonly [keyof Cast, readonly string[]]>>;

/** A client that watches while a test makes changes. */
export type WatcherName = keyof typeof WATCHERS;

const ALL_WATCHERS = Object.keys(WATCHERS) as WatcherName[];

/** In seconds; in some tests, hours pass. */
const A_LONG_TIME = 600_000;

/** Refusals for clients that must register again, or may no longer. */
const ENDED = ['BAD_EVENT_QUEUE_ID', 'UNAUTHORIZED'];

/** A registered client that follows events. */
class Watcher {
  private readonly model: ClientModel;

  private constructor(
    private readonly name: string,
    private readonly client: () => ApiClient,
    private readonly capabilities: readonly string[],
    private readonly queue: TestQueue,
  ) {
    this.model = new ClientModel(queue.state, new Set(capabilities));
  }

  static async register(
    name: string,
    client: () => ApiClient,
    capabilities: readonly string[],
  ): Promise<Watcher> {
    return new Watcher(name, client, capabilities, await registerFor(client(), capabilities));
  }

  /** Problems with the events received until now. */
  async problems(): Promise<string[]> {
    const { status, body } = await this.queue.request({ dont_block: true });
    if (status !== 200 && ENDED.includes(body.code)) return [];
    const found: string[] = [];
    for (const event of await this.queue.events()) {
      try {
        this.model.apply(event);
      } catch (error) {
        found.push(`${(error as Error).message} ${JSON.stringify(event)}`);
      }
    }
    const fresh = await registerFor(this.client(), this.capabilities);
    found.push(...this.model.differencesFrom(new ClientModel(fresh.state, new Set(this.capabilities))));
    return found.map((problem) => `${this.name}: ${problem}`);
  }
}

function registerFor(client: ApiClient, capabilities: readonly string[]): Promise<TestQueue> {
  const parameters = {
    fetch_event_types: undefined,
    client_gravatar: false,
    include_subscribers: true,
    idle_queue_timeout: A_LONG_TIME,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, capabilities.includes(name)])),
  };
  // Replaying an event proves less than a test that asserts it.
  return TestQueue.register(client, parameters, () => undefined);
}

/**
 * The law of clients: the initial state, updated by every event since, equals the state of a newly registered client.
 * Checked with clients of all roles.
 */
export class StateLaw {
  private constructor(private readonly watchers: readonly Watcher[]) {}

  static async watch(app: TestApp, names: readonly WatcherName[] = ALL_WATCHERS): Promise<StateLaw> {
    const watchers: Watcher[] = [];
    for (const name of names) {
      const [member, capabilities] = WATCHERS[name];
      if (!app.isActive(app.cast[member])) continue;
      watchers.push(await Watcher.register(name, () => app.onlooker(app.cast[member]), capabilities));
    }
    return new StateLaw(watchers);
  }

  /** @throws Error listing the wrong state of clients */
  async check(): Promise<void> {
    const problems: string[] = [];
    for (const watcher of this.watchers) problems.push(...(await watcher.problems()));
    if (problems.length > 0) throw new Error(`Events and state disagree.\n${problems.join('\n')}`);
  }
}
