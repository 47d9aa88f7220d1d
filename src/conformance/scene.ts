import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CheckedQueue, CheckSkipped } from './expectations';
import {
  botOf,
  Client,
  makePerson,
  type Participant,
  type PersonWithPassword,
  type Reply,
  UnexpectedAnswer,
  type WireObject,
} from './client';

/** A group that is used elsewhere cannot be deactivated. */
const IN_USE = 'CANNOT_DEACTIVATE_GROUP_IN_USE';

/** The first level that deactivates groups; earlier ones delete them. */
const DEACTIVATED_GROUPS = 290;

const CAPABILITIES = { notification_settings_null: true, archived_channels: true };

/** State types with objects that this run may have created. */
const KINDS: ReadonlySet<string> = new Set([
  'realm_users',
  'realm_user_groups',
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_bots',
  'drafts',
  'scheduled_messages',
  'saved_snippets',
  'alert_words',
  'channel_folders',
  'muted_users',
]);

/**
 * The objects that checks use: the owner whose key was given, one of their bots, a person if the server lets the owner
 * create one, and a channel. All are created for the run and removed at its end.
 */
export class Scene {
  private undo: { readonly route: string; readonly parameters: WireObject }[] = [];
  private lastWord = 0;

  private constructor(
    /** Part of every name that this run creates. */
    readonly run: string,
    readonly level: number,
    readonly anonymous: Client,
    readonly owner: Participant,
    readonly bot: Participant,
    private readonly maybePerson: PersonWithPassword | string,
    readonly channel: { readonly id: number; readonly name: string },
    private readonly patienceMs: number,
  ) {}

  /**
   * @param patienceMs timeout for eventual results
   * @throws Error if the server is unreachable, or the key does not belong to an owner
   */
  static async set(url: string, email: string, apiKey: string, patienceMs: number): Promise<Scene> {
    const run = randomBytes(4).toString('hex');
    const anonymous = new Client(url, null);
    const client = anonymous.as({ email, apiKey });
    const { zulip_feature_level: level } = await anonymous.ok('GET /server_settings');
    const me = await client.ok('GET /users/me');
    if (me['is_owner'] !== true) throw new Error(`${email} is not an owner of the organization.`);
    const owner = { id: Number(me['user_id']), email, name: String(me['full_name']), client };
    const made = await client.ok('POST /bots', {
      full_name: `Conformance ${run}`,
      short_name: `conformance-${run}`,
      bot_type: 1,
    });
    const bot = await botOf(client, Number(made['user_id']), String(made['api_key']));
    const person = await makePerson(client, run, email);
    const name = `conformance ${run}`;
    const others = [owner.id, bot.id, ...(typeof person === 'string' ? [] : [person.id])];
    await client.ok('POST /users/me/subscriptions', {
      subscriptions: [{ name, description: 'For a conformance run' }],
      principals: others,
      announce: false,
    });
    const { stream_id } = await client.ok('GET /get_stream_id', { stream: name });
    const channel = { id: Number(stream_id), name };
    const scene = new Scene(run, Number(level), anonymous, owner, bot, person, channel, patienceMs);
    scene.later(`DELETE /bots/${bot.id}`);
    if (typeof person !== 'string') scene.later(`DELETE /users/${person.id}`);
    scene.later(`DELETE /streams/${channel.id}`);
    return scene;
  }

  /** @throws {CheckSkipped} if the server refused to create accounts */
  get person(): PersonWithPassword {
    if (typeof this.maybePerson === 'string') throw new CheckSkipped(this.maybePerson);
    return this.maybePerson;
  }

  /** The first rate-limited response of this run. */
  get limited(): Reply | undefined {
    return this.anonymous.encounters.limited;
  }

  /** A word that occurs nowhere else on the server. */
  word(): string {
    return `c${this.run}n${++this.lastWord}`;
  }

  /** Schedules a request of the owner for cleanup; the last one runs first. */
  later(route: string, parameters: WireObject = {}): void {
    this.undo.push({ route, parameters });
  }

  /** Removes what the run created. @returns failures of the server, and remaining objects */
  async tidy(): Promise<string[]> {
    await this.removeDirectMessages();
    await this.removeFiles();
    // Objects that others reference can be removed once those are gone.
    for (let before = Infinity; this.undo.length < before;) {
      before = this.undo.length;
      const waiting: typeof this.undo = [];
      for (const { route, parameters } of this.undo.toReversed()) {
        const { status, body } = await this.owner.client.ask(route, parameters);
        if (status >= 500 || body['code'] === IN_USE) waiting.unshift({ route, parameters });
      }
      this.undo = waiting;
    }
    return [...this.undo.map(({ route }) => route), ...(await this.remains())];
  }

  /** Objects of this run that the owner still sees, except those that servers keep forever. */
  private async remains(): Promise<string[]> {
    const { body: state } = await this.owner.client.ask('POST /register', {
      client_capabilities: CAPABILITIES,
    });
    await this.owner.client.ask('DELETE /events', { queue_id: state['queue_id'] ?? '' });
    if (typeof state['queue_id'] !== 'string') return ['POST /register does not say what remains'];
    const isGone = (record: WireObject) =>
      record['is_active'] === false || record['deactivated'] === true || record['is_archived'] === true;
    return Object.entries(state).flatMap(([kind, records]) => {
      if (!KINDS.has(kind) || typeof records !== 'object' || records === null) return [];
      return (Object.values(records) as unknown[])
        .filter((record) => JSON.stringify(record).includes(this.run))
        .filter((record) => typeof record !== 'object' || !isGone(record as WireObject))
        .map((record) => `${kind}: ${JSON.stringify(record).slice(0, 100)}`);
    });
  }

  private async removeDirectMessages(): Promise<void> {
    const { client, id: own } = this.owner;
    for (const operand of [[own], [this.bot.id]]) {
      const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
      const { messages = [] } = (
        await client.ask('GET /messages', { ...page, narrow: [{ operator: 'dm', operand }] })
      ).body;
      for (const { id, content } of messages as { id: number; content: string }[]) {
        if (operand[0] !== own || content.includes(`c${this.run}n`))
          await client.ask(`DELETE /messages/${id}`);
      }
    }
  }

  private async removeFiles(): Promise<void> {
    const { attachments = [] } = (await this.owner.client.ask('GET /attachments')).body;
    for (const { id, name } of attachments as { id: number; name: string }[]) {
      if (name.startsWith(`c${this.run}n`)) await this.owner.client.ask(`DELETE /attachments/${id}`);
    }
  }

  /** Sends a message to the channel of the run. @returns its ID */
  async send(
    content: string,
    { topic = 'checks', by = this.owner }: { topic?: string; by?: Participant } = {},
  ): Promise<number> {
    const { id } = await by.client.ok('POST /messages', {
      type: 'stream',
      to: this.channel.name,
      topic,
      content,
    });
    return Number(id);
  }

  /** Sends a direct message. @returns its ID */
  async tell(to: readonly number[], content: string): Promise<number> {
    const { id } = await this.owner.client.ok('POST /messages', { type: 'direct', to, content });
    return Number(id);
  }

  /** The message as a participant sees it. */
  async message(id: number, as = this.owner): Promise<WireObject> {
    const { message } = await as.client.ok(`GET /messages/${id}`);
    return message as WireObject;
  }

  /** Creates a channel that is removed at the end. */
  async makeChannel(options: WireObject = {}): Promise<{ id: number; name: string }> {
    const name = `conformance ${this.word()}`;
    await this.owner.client.ok('POST /users/me/subscriptions', {
      subscriptions: [{ name }],
      announce: false,
      ...options,
    });
    const { stream_id } = await this.owner.client.ok('GET /get_stream_id', { stream: name });
    this.later(`DELETE /streams/${Number(stream_id)}`);
    return { id: Number(stream_id), name };
  }

  /** Creates a user group that is removed at the end. */
  async makeGroup(members: readonly number[]): Promise<{ id: number; name: string }> {
    const name = `conformance-${this.word()}`;
    await this.owner.client.ok('POST /user_groups/create', { name, description: 'For a run', members });
    const { user_groups: groups } = await this.owner.client.ok('GET /user_groups');
    const id = (groups as { id: number; name: string }[]).find((group) => group.name === name)?.id ?? 0;
    this.later(
      this.level >= DEACTIVATED_GROUPS ? `POST /user_groups/${id}/deactivate` : `DELETE /user_groups/${id}`,
    );
    return { id, name };
  }

  /** Registers a client. */
  listen(types: readonly string[], by = this.owner, more: WireObject = {}): Promise<CheckedQueue> {
    return CheckedQueue.register(
      by.client,
      { event_types: types, apply_markdown: true, ...more },
      this.patienceMs,
    );
  }

  /** The owner's initial state of these types. */
  async state(types: readonly string[], more: WireObject = {}): Promise<WireObject> {
    const { client } = this.owner;
    const state = await client.ok('POST /register', {
      event_types: types,
      client_capabilities: CAPABILITIES,
      ...more,
    });
    await client.ask('DELETE /events', { queue_id: state['queue_id'] });
    return state;
  }

  /** Retries until the assertion holds: search results may appear a moment later. */
  async eventually(assertion: () => Promise<void>): Promise<void> {
    for (const deadline = performance.now() + this.patienceMs; ;) {
      try {
        return await assertion();
      } catch (error) {
        if (!(error instanceof UnexpectedAnswer) || performance.now() > deadline) throw error;
        await pause(100);
      }
    }
  }
}

/** Default page of messages. */
export const PAGE = { anchor: 'newest', num_before: 50, num_after: 0 };

/** IDs of the messages that match a narrow. */
export async function idsIn(
  { owner }: Scene,
  narrow: readonly object[],
  page: object = PAGE,
): Promise<number[]> {
  const { messages } = await owner.client.ok('GET /messages', { ...page, narrow });
  return (messages as { id: number }[]).map(({ id }) => id);
}

/** A one-pixel picture. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
