import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { raiseState, writeState } from '../../../platform/database/server-state';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  NoInput,
  operatorCommand,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { ChannelDirectory } from '../../channels/channels.module';
import { AccountDirectory, OperatorAccountAccess } from '../../users/users.module';
import { RemoveHoldInput, type HeldMessages, type HeldMessagesWire, AddHoldInput } from './legal-holds.api';
import { allHolds, HOLDS, stopDeletions } from './legal-holds.service';

/** Key in `server_state` with the highest ID ever given to a hold. */
const LAST_ID = 'last legal hold';

/** Maximum number of holds; every deletion checks all of them. */
const MAX_HOLDS = 200;

/** The operator's commands that place, list and lift legal holds. */
@Injectable()
export class LegalHoldsCommandsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly access: OperatorAccountAccess,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    const target = ({ user, channel }: AddHoldInput) => user ?? channel ?? null;
    hooks.on(
      operatorCommand,
      command('hold add', AddHoldInput, (input) => this.add(input), target),
    );
    hooks.on(
      operatorCommand,
      command('hold list', NoInput, async () => ({ holds: await this.list() })),
    );
    hooks.on(
      operatorCommand,
      command(
        'hold remove',
        RemoveHoldInput,
        ({ id }) => this.remove(id),
        ({ id }) => String(id),
      ),
    );
  }

  private async list(): Promise<HeldMessagesWire[]> {
    return (await allHolds(this.database.read)).map((each) => this.wire(each));
  }

  /** @throws CommandRefused */
  private async add({ user, channel, reason }: AddHoldInput): Promise<{ readonly held: HeldMessagesWire }> {
    const userId = user === undefined ? null : this.access.find(user).id;
    const channelId = channel === undefined ? null : this.channelId(channel);
    if ((userId === null) === (channelId === null))
      throw new CommandRefused('Name a user or a channel to hold, and not both.');
    const held = await this.transactions.runExclusive(async (tx) => {
      await stopDeletions(tx);
      const holds = await allHolds(tx);
      if (holds.length >= MAX_HOLDS) throw new CommandRefused(`There are ${MAX_HOLDS} holds already.`);
      const newest = Math.max(0, ...holds.map(({ id }) => id));
      const added: HeldMessages = {
        // The audit log refers to holds by ID, including lifted ones.
        id: await raiseState(tx, LAST_ID, newest + 1),
        ...{ userId, channelId, reason },
        since: this.clock.nowSeconds(),
      };
      await writeState(tx, HOLDS, JSON.stringify([...holds, added]));
      this.record(tx, 'hold.placed', added);
      return added;
    });
    return { held: this.wire(held) };
  }

  /** @throws CommandRefused */
  private async remove(id: number): Promise<{ readonly held: HeldMessagesWire }> {
    const held = await this.transactions.runExclusive(async (tx) => {
      const holds = await allHolds(tx);
      const removed = holds.find((each) => each.id === id);
      if (!removed) throw new CommandRefused(`No hold has the ID ${id}. See "parley hold list".`);
      await writeState(tx, HOLDS, JSON.stringify(holds.filter((each) => each !== removed)));
      this.record(tx, 'hold.lifted', removed);
      return removed;
    });
    return { held: this.wire(held) };
  }

  private record(
    tx: Transaction,
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

  private channelId(name: string): number {
    const channel = this.channels.byName(name.trim().replace(/^#/, ''));
    if (channel) return channel.id;
    throw new CommandRefused(`No channel is called ${name}.`);
  }
}
