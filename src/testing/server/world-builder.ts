import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { CommandRefused, OperatorCommands } from '../../platform/operator/operator-commands';
import type { MovableClock } from './movable-clock';
import type { InnerCaller } from './inner-caller';
import type { ServerPeople } from './server-people';
import {
  OWNER,
  type WorldBot,
  type WorldChannel,
  type WorldDocument,
  type WorldMessage,
  type WorldPerson,
} from './world-document';
import { TestRequestRefused, timeIn } from './request-checks';
import { DOMAIN, OWNER_EMAIL, PASSWORD } from './test-settings';

const BOT_TYPES = { generic: 1, incoming: 2, outgoing: 3 } as const;

/** Creates an organization through the interface, like clients, in the order of the document. */
export class WorldBuilder {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly people: ServerPeople,
    private readonly call: InnerCaller,
    private readonly clock: MovableClock,
  ) {}

  /** @throws {TestRequestRefused} if the server refuses something, with the location in the document */
  async build(document: WorldDocument): Promise<void> {
    const { people = [], bots = [], groups = [], channels = [], messages = [], settings } = document;
    await this.each('people', people, (person) => this.addPerson(person));
    await this.each('bots', bots, (bot) => this.addBot(bot));
    await this.fixKeys();
    if (settings) await this.at('settings', () => this.set(settings));
    await this.each('groups', groups, ({ name, description = '', members }) =>
      this.as(OWNER, 'POST', '/user_groups/create', { name, description, members: this.idsOf(members) }),
    );
    await this.each('channels', channels, (channel) => this.addChannel(channel));
    await this.each('messages', messages, (message) => this.send(message));
  }

  /** Gives the owner, whom the first start created, the short name, password and permissions of the cast. */
  async adoptOwner(): Promise<void> {
    this.people.note(OWNER, OWNER_EMAIL);
    await this.operate('user password', { user: OWNER_EMAIL, password: PASSWORD });
    await this.operate('user role', { user: OWNER_EMAIL, role: 'owner', canCreateUsers: true });
  }

  /** Derives keys from the names, so that they are the same every time. */
  async fixKeys(): Promise<void> {
    const transactions = this.app.get(TransactionService, { strict: false });
    await transactions.runExclusive(async (tx) => {
      for (const name of this.people.everybody()) {
        const { id } = this.people.find(name);
        const nonce = createHash('sha256').update(`person ${name}`).digest('hex').slice(0, 32);
        await tx.query('UPDATE account SET key_nonce = ? WHERE id = ?', [nonce, id]);
        tx.touch('accounts', [id]);
      }
    });
  }

  private async set(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { ignored_parameters_unsupported: unknown } = await this.as(OWNER, 'PATCH', '/realm', settings);
    if (Array.isArray(unknown))
      throw new TestRequestRefused(`There is no setting "${unknown.join('", "')}".`);
  }

  private async addPerson({
    name,
    full_name = name,
    email,
    password = PASSWORD,
    role = 'member',
  }: WorldPerson) {
    const address = email ?? `${name}@${DOMAIN}`;
    const canCreateUsers = role === 'owner' || role === 'administrator';
    await this.operate('user add', { email: address, name: full_name, password, role, canCreateUsers });
    this.people.note(name, address);
  }

  private async addBot({ name, full_name = name, owner, type = 'generic', url }: WorldBot): Promise<void> {
    const { user_id } = await this.as(owner, 'POST', '/bots', {
      full_name,
      short_name: name,
      bot_type: BOT_TYPES[type],
      ...(url === undefined ? {} : { payload_url: url }),
    });
    this.people.note(name, this.people.find(Number(user_id)).deliveryEmail);
  }

  private async addChannel(channel: WorldChannel): Promise<void> {
    const { name, description = '', private: isPrivate = false, history = !isPrivate, subscribers } = channel;
    const names = subscribers.flatMap((one) => (one === '*' ? this.people.everybody() : one));
    await this.as(OWNER, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: this.idsOf([...new Set(names)]),
      invite_only: isPrivate,
      history_public_to_subscribers: history,
      announce: false,
    });
  }

  private async send({ sender, channel, topic = '', to, content, sent_at, reactions = [] }: WorldMessage) {
    if ((channel === undefined) === (to === undefined))
      throw new TestRequestRefused('it needs "channel" or "to", and not both');
    if (sent_at !== undefined) this.clock.set(timeIn(sent_at));
    try {
      const place =
        to === undefined ? { type: 'channel', to: channel, topic } : { type: 'direct', to: this.idsOf(to) };
      const { id } = await this.as(sender, 'POST', '/messages', { ...place, content });
      for (const { emoji, by } of reactions) {
        await this.as(by, 'POST', `/messages/${Number(id)}/reactions`, { emoji_name: emoji });
      }
    } finally {
      if (sent_at !== undefined) this.clock.reset();
    }
  }

  private async operate(command: string, input: object): Promise<void> {
    const commands = this.app.get(OperatorCommands, { strict: false });
    const context = { site: '', signal: new AbortController().signal, report: () => undefined };
    try {
      await commands.run(command, input, context);
    } catch (error) {
      if (error instanceof ApiError || error instanceof CommandRefused)
        throw new TestRequestRefused(error.message);
      throw error;
    }
  }

  private idsOf(names: readonly string[]): number[] {
    return names.map((name) => this.people.find(name).id);
  }

  private async each<Item>(list: string, items: readonly Item[], work: (item: Item) => Promise<unknown>) {
    for (const [at, item] of items.entries()) {
      await this.at(`${list}[${at}]`, () => work(item));
    }
  }

  /** @throws {TestRequestRefused} with the location in the document */
  private async at(place: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TestRequestRefused)) throw error;
      throw new TestRequestRefused(`${place}: ${error.message}`);
    }
  }

  private async as(who: string, method: string, path: string, parameters: Readonly<Record<string, unknown>>) {
    const { status, body } = await this.call(this.people.answerFor(this.people.find(who)), {
      method,
      path,
      parameters,
      isOwn: true,
    });
    const answer = body as Record<string, unknown> & { readonly msg?: string };
    if (status !== 200) throw new TestRequestRefused(answer.msg ?? String(status));
    return answer;
  }
}
