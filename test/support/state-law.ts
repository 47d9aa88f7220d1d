import type { ApiClient } from './api-client';
import type { Cast } from './cast';
import { ClientModel } from './client-model/client-model';
import type { TestApp } from './test-app';
import { TestQueue } from './test-queue';

/** Everything that clients may declare. */
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
];

/** Who watches, and what their clients know; one of each role, and clients from before there were capabilities. */
const WATCHERS: readonly (readonly [keyof Cast, readonly string[]])[] = [
  ['olivia', CAPABILITIES],
  ['adam', CAPABILITIES],
  ['mona', CAPABILITIES],
  ['mia', CAPABILITIES],
  ['gus', CAPABILITIES],
  ['robo', CAPABILITIES],
  ['max', []],
  ['gus', []],
];

/** A client that registered, and follows what happens. */
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

  /** What is wrong with what the client was told until now. */
  async problems(): Promise<string[]> {
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
  return TestQueue.register(client, {
    fetch_event_types: undefined,
    client_gravatar: false,
    include_subscribers: true,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, capabilities.includes(name)])),
  });
}

/**
 * The law of clients: the state at the start, with every event since, is the state that a client gets that
 * registers now. Watched by clients of all roles.
 */
export class StateLaw {
  private constructor(private readonly watchers: readonly Watcher[]) {}

  static async watch(app: TestApp): Promise<StateLaw> {
    const watchers: Watcher[] = [];
    for (const [member, capabilities] of WATCHERS) {
      const name = capabilities.length > 0 ? member : `${member} with an older client`;
      watchers.push(await Watcher.register(name, () => app.as(app.cast[member]), capabilities));
    }
    return new StateLaw(watchers);
  }

  /** @throws Error naming whatever clients believe and is not so */
  async check(): Promise<void> {
    const problems: string[] = [];
    for (const watcher of this.watchers) problems.push(...(await watcher.problems()));
    if (problems.length > 0) throw new Error(`Events and state disagree.\n${problems.join('\n')}`);
  }
}
