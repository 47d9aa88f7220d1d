import { randomBytes } from 'node:crypto';
import { CheckSkipped } from './expectations';
import { Client, type WireObject } from './client';
import { CheckedQueue } from './checked-queue';

/** A group that is part of another one cannot be deactivated. */
const IN_USE = 'CANNOT_DEACTIVATE_GROUP_IN_USE';

/** Somebody who takes part. */
export interface Participant {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly client: Client;
}

/**
 * What the checks play with: the owner whose key was given, a bot of theirs, a person where the server lets the owner make
 * one, and a channel. All of it is made for the run, and goes at its end.
 */
export class Scene {
  private undo: { readonly route: string; readonly parameters: WireObject }[] = [];
  private lastWord = 0;

  private constructor(
    /** Part of every name that this run makes. */
    readonly run: string,
    readonly level: number,
    readonly nobody: Client,
    readonly owner: Participant,
    readonly bot: Participant,
    private readonly maybePerson: Participant | string,
    readonly channel: { readonly id: number; readonly name: string },
  ) {}

  /** @throws Error where the server cannot be reached, or the key is not that of an owner */
  static async set(url: string, email: string, apiKey: string): Promise<Scene> {
    const run = randomBytes(4).toString('hex');
    const nobody = new Client(url, null);
    const client = new Client(url, { email, apiKey });
    const { zulip_feature_level: level } = await nobody.ok('GET /server_settings');
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
    const scene = new Scene(run, Number(level), nobody, owner, bot, person, channel);
    scene.later(`DELETE /bots/${bot.id}`);
    if (typeof person !== 'string') scene.later(`DELETE /users/${person.id}`);
    scene.later(`DELETE /streams/${channel.id}`);
    return scene;
  }

  /** @throws {CheckSkipped} where the server let nobody be made */
  get person(): Participant {
    if (typeof this.maybePerson === 'string') throw new CheckSkipped(this.maybePerson);
    return this.maybePerson;
  }

  /** A word that nothing else on the server has. */
  word(): string {
    return `c${this.run}n${++this.lastWord}`;
  }

  /** A request of the owner for the end; the last comes first. */
  later(route: string, parameters: WireObject = {}): void {
    this.undo.push({ route, parameters });
  }

  /** Takes back what the run made. @returns what the server did not manage */
  async tidy(): Promise<string[]> {
    await this.removeFiles();
    // What something else refers to goes once that has gone.
    for (let before = Infinity; this.undo.length < before;) {
      before = this.undo.length;
      const waiting: typeof this.undo = [];
      for (const { route, parameters } of this.undo.toReversed()) {
        const { status, body } = await this.owner.client.ask(route, parameters);
        if (status >= 500 || body['code'] === IN_USE) waiting.unshift({ route, parameters });
      }
      this.undo = waiting;
    }
    return this.undo.map(({ route }) => route);
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

  /** The message as somebody sees it. */
  async message(id: number, as = this.owner): Promise<WireObject> {
    const { message } = await as.client.ok(`GET /messages/${id}`);
    return message as WireObject;
  }

  /** Makes a channel of its own, which goes at the end. */
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

  /** Makes a user group, which goes at the end. */
  async makeGroup(members: readonly number[]): Promise<{ id: number; name: string }> {
    const name = `conformance-${this.word()}`;
    await this.owner.client.ok('POST /user_groups/create', { name, description: 'For a run', members });
    const { user_groups: groups } = await this.owner.client.ok('GET /user_groups');
    const id = (groups as { id: number; name: string }[]).find((group) => group.name === name)?.id ?? 0;
    this.later(`POST /user_groups/${id}/deactivate`);
    return { id, name };
  }

  /** Registers a client. */
  listen(types: readonly string[], by = this.owner, more: WireObject = {}): Promise<CheckedQueue> {
    return CheckedQueue.register(by.client, { event_types: types, apply_markdown: true, ...more });
  }
}

async function botOf(client: Client, id: number, apiKey: string): Promise<Participant> {
  const { user } = await client.ok(`GET /users/${id}`);
  const { email, full_name: name } = user as { email: string; full_name: string };
  return { id, email, name, client: new Client(client.url, { email, apiKey }) };
}

/** @returns why not, where the server does not let it */
async function makePerson(client: Client, run: string, ownerEmail: string): Promise<Participant | string> {
  const email = `conformance-${run}@${ownerEmail.split('@')[1] ?? 'example.com'}`;
  const password = randomBytes(18).toString('base64');
  const name = `Conformance Person ${run}`;
  const { body } = await client.ask('POST /users', { email, password, full_name: name });
  if (body['result'] !== 'success') return `The owner may not make people: ${String(body['msg'])}`;
  const id = Number(body['user_id']);
  const key = await new Client(client.url, null).ask('POST /fetch_api_key', { username: email, password });
  if (key.status !== 200) {
    await client.ask(`DELETE /users/${id}`);
    return `People cannot sign in with a password: ${String(key.body['msg'])}`;
  }
  return { id, email, name, client: new Client(client.url, { email, apiKey: String(key.body['api_key']) }) };
}
