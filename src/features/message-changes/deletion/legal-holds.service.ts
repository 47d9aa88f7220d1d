import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Length } from 'class-validator';
import { THE_OPERATOR } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { readState, writeState } from '../../../platform/database/server-state';
import { TransactionService } from '../../../platform/database/transaction.service';
import { refusal } from '../../../platform/errors/api-error';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  NoInput,
  operatorCommand,
} from '../../../platform/operator/operator-commands';
import type { SqlRunner, SqlValue } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import { ChannelDirectory } from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';

/** Key of the state of the server that has the holds. */
const KEY = 'legal holds';

/** Every deletion asks for all of them. */
const MAX_HOLDS = 200;

/** Messages of a person or a channel must stay. */
interface HeldMessages {
  readonly id: number;
  readonly userId: number | null;
  readonly channelId: number | null;
  /** Such as the number of a case. */
  readonly reason: string;
  /** UNIX seconds. */
  readonly since: number;
}

/** A hold as commands show it. */
interface HeldMessagesWire extends HeldMessages {
  /** Name of the person or channel. */
  readonly of: string;
}

/** Input of `hold add`: a person or a channel. */
export class KeepMessagesInput {
  /** Address of the account. */
  @IsOptional() @IsString({ message: 'The user must be a text.' }) user?: string;
  /** Name of the channel. */
  @IsOptional() @IsString({ message: 'The channel must be a text.' }) channel?: string;
  @Length(1, 200, { message: 'The reason must have 1 to 200 characters.' }) reason!: string;
}

/** Input of `hold remove`. */
class FreeMessagesInput {
  @IsInt({ message: 'The ID must be a number.' }) id!: number;
}

/** A legal hold forbids deleting the message. */
export class MessageHeld extends refusal('This message is on legal hold, and cannot be deleted.') {}

/**
 * Keeps messages from being deleted, by retention or on request: those sent by a person, the person's direct
 * conversations, and those of a channel or sent to it first.
 */
@Injectable()
export class LegalHoldsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    const target = ({ user, channel }: KeepMessagesInput) => user ?? channel ?? null;
    hooks.on(
      operatorCommand,
      command('hold add', KeepMessagesInput, (input) => this.add(input), target),
    );
    hooks.on(
      operatorCommand,
      command('hold list', NoInput, async () => ({ holds: await this.list() })),
    );
    hooks.on(
      operatorCommand,
      command(
        'hold remove',
        FreeMessagesInput,
        ({ id }) => this.remove(id),
        ({ id }) => String(id),
      ),
    );
  }

  /** What is true of a message `m` that a hold keeps; null where there are no holds. */
  async condition(db: SqlRunner): Promise<{ readonly sql: string; readonly values: SqlValue[] } | null> {
    const holds = await all(db);
    if (holds.length === 0) return null;
    const userIds = holds.flatMap(({ userId }) => userId ?? []);
    const channelIds = holds.flatMap(({ channelId }) => channelId ?? []);
    const people = userIds.length > 0 ? userIds : [0];
    const places = channelIds.length > 0 ? channelIds : [-1];
    return {
      sql: `(m.sender_id IN (?) OR m.channel_id IN (?) OR m.sent_channel_id IN (?) OR m.conversation_id IN (
        SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id IN (?)))`,
      values: [people, places, places, people],
    };
  }

  /** Those of the messages that a hold keeps. */
  async heldAmong(db: SqlRunner, messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    const held = messageIds.length > 0 ? await this.condition(db) : null;
    if (held === null) return new Set();
    const rows = await db.query<{ id: number }>(
      `SELECT m.id FROM message m WHERE m.id IN (?) AND ${held.sql}`,
      [messageIds, ...held.values],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async list(): Promise<HeldMessagesWire[]> {
    return (await all(this.database.read)).map((each) => this.wire(each));
  }

  /** @throws CommandRefused */
  private async add({
    user,
    channel,
    reason,
  }: KeepMessagesInput): Promise<{ readonly held: HeldMessagesWire }> {
    const userId = user === undefined ? null : this.userId(user);
    const channelId = channel === undefined ? null : this.channelId(channel);
    if ((userId === null) === (channelId === null))
      throw new CommandRefused('Name a user or a channel to hold, and not both.');
    const held = await this.transactions.runExclusive(async (tx) => {
      const holds = await all(tx);
      if (holds.length >= MAX_HOLDS) throw new CommandRefused(`There are ${MAX_HOLDS} holds already.`);
      const added: HeldMessages = {
        id: Math.max(0, ...holds.map(({ id }) => id)) + 1,
        ...{ userId, channelId, reason },
        since: this.clock.nowSeconds(),
      };
      await writeState(tx, KEY, JSON.stringify([...holds, added]));
      this.record(tx, 'hold.placed', added);
      return added;
    });
    return { held: this.wire(held) };
  }

  /** @throws CommandRefused */
  private async remove(id: number): Promise<{ readonly held: HeldMessagesWire }> {
    const held = await this.transactions.runExclusive(async (tx) => {
      const holds = await all(tx);
      const removed = holds.find((each) => each.id === id);
      if (!removed) throw new CommandRefused(`No hold has the ID ${id}. See "parley hold list".`);
      await writeState(tx, KEY, JSON.stringify(holds.filter((each) => each !== removed)));
      this.record(tx, 'hold.lifted', removed);
      return removed;
    });
    return { held: this.wire(held) };
  }

  private record(
    tx: Parameters<AuditLog['record']>[0],
    action: 'hold.placed' | 'hold.lifted',
    { id, userId, channelId }: HeldMessages,
  ): void {
    const target = { id, ...(userId === null ? {} : { userId }) };
    this.audit.record(tx, THE_OPERATOR, action, target, channelId === null ? {} : { channel_id: channelId });
  }

  private wire(held: HeldMessages): HeldMessagesWire {
    const { userId, channelId } = held;
    const of =
      userId === null ? this.channels.byId(channelId ?? 0)?.name : this.accounts.byId(userId)?.fullName;
    return { ...held, of: of ?? '' };
  }

  private userId(address: string): number {
    const account = this.accounts.byEmail(address.trim());
    if (account && !account.isSystemBot) return account.id;
    throw new CommandRefused(
      `No account has the address ${address}. See "parley user list --bots --inactive".`,
    );
  }

  private channelId(name: string): number {
    const channel = this.channels.byName(name.trim().replace(/^#/, ''));
    if (channel) return channel.id;
    throw new CommandRefused(`No channel is called ${name}.`);
  }
}

async function all(db: SqlRunner): Promise<readonly HeldMessages[]> {
  const text = await readState(db, KEY);
  return text === null ? [] : (JSON.parse(text) as HeldMessages[]);
}
