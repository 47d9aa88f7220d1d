import { Injectable } from '@nestjs/common';
import { FlagNotEditable, InvalidFlagOperation, UnknownFlag } from './flags.api';
import { UnreadService } from './unread.service';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { AccountSubscriptionsService } from '../channels/channels.module';
import {
  Flag,
  type FoundMessages,
  HistoricalMessageService,
  isFlagName,
  MessageAccess,
  messageFlagAdded,
  messageFlagRemoved,
  PersonalFlagRowsService,
  ReadStateService,
} from '../messages/messages.module';
import type { Requester as Reader } from '../user-groups/user-groups.module';

/** Flags that people can change themselves, with their bits. */
const EDITABLE_FLAGS = { read: Flag.read, starred: Flag.starred, collapsed: Flag.collapsed } as const;

/** A change to a person's own flags on messages. */
export interface FlagChange {
  readonly flag: keyof typeof EDITABLE_FLAGS;
  readonly bit: number;
  readonly op: 'add' | 'remove';
}

/**
 * Validates a change; the flag is checked before the operation.
 * @throws UnknownFlag, FlagNotEditable, InvalidFlagOperation
 */
export function parseFlagChange(op: string, flag: string): FlagChange {
  if (!isFlagName(flag)) throw new UnknownFlag(flag);
  if (!isEditable(flag)) throw new FlagNotEditable(flag);
  if (op !== 'add' && op !== 'remove') throw new InvalidFlagOperation(op);
  return { flag, bit: EDITABLE_FLAGS[flag], op };
}

/** Whether messages become unread, which has its own events and errors. */
function makesUnread({ flag, op }: FlagChange): boolean {
  return flag === 'read' && op === 'remove';
}

function isEditable(flag: string): flag is FlagChange['flag'] {
  return Object.hasOwn(EDITABLE_FLAGS, flag);
}

/** The effects of a change of flags. */
interface FlagPlan {
  /** Messages in the person's history. Some may already be in the requested state. */
  readonly own: readonly number[];
  /** Messages that the change adds to their history. */
  readonly entering: readonly number[];
  /** Channels whose messages stay read because the person is not subscribed. */
  readonly ignoredChannelIds: readonly number[];
}

/** Whether a change marks messages as read. */
function marksRead({ flag, op }: FlagChange): boolean {
  return flag === 'read' && op === 'add';
}

/**
 * Whether a change ignores messages that are not in the history: these count as read already and have no flags to
 * remove.
 */
export function concernsOwnOnly({ flag, op }: FlagChange): boolean {
  return (flag === 'read') === (op === 'add');
}

/**
 * Determines the effects of any other change on each message.
 * @param messageIds without duplicates
 * @param subscribed the channels of the messages to which the person is subscribed
 * @throws InvalidMessage if the change would add a message to the history that the person may not see
 */
export function planFlagChange(
  change: FlagChange,
  messageIds: readonly number[],
  messages: FoundMessages,
  subscribed: ReadonlySet<number>,
): FlagPlan {
  const own: number[] = [];
  const entering: number[] = [];
  const ignored = new Set<number>();
  for (const id of messageIds) {
    const found = messages.get(id);
    const channelId = found?.message.channelId ?? null;
    if (makesUnread(change) && found?.isKnown && channelId !== null && !subscribed.has(channelId)) {
      ignored.add(channelId);
    } else {
      (messages.readable(id).state.isOwn ? own : entering).push(id);
    }
  }
  return { own, entering, ignoredChannelIds: [...ignored] };
}

/** The result of a change. */
export interface ChangedFlags {
  /** The messages whose flags changed, in the order given. */
  readonly messageIds: readonly number[];
  /** See {@link FlagPlan}. */
  readonly ignoredChannelIds: readonly number[];
}

const NONE: ReadonlySet<number> = new Set();

/** Changes one person's flags on messages, and emits the change to that person. */
@Injectable()
export class ChangeFlagsService {
  constructor(
    private readonly access: MessageAccess,
    private readonly subscriptions: AccountSubscriptionsService,
    private readonly readState: ReadStateService,
    private readonly rows: PersonalFlagRowsService,
    private readonly history: HistoricalMessageService,
    private readonly unread: UnreadService,
  ) {}

  /**
   * The event is emitted even if nothing changed.
   * @param messageIds any numbers, without duplicates
   * @throws InvalidMessage, see {@link planFlagChange}
   */
  async change(
    tx: Transaction,
    reader: Reader,
    messageIds: readonly number[],
    change: FlagChange,
  ): Promise<ChangedFlags> {
    if (marksRead(change)) return this.markRead(tx, reader.userId, messageIds, change);
    const { plan, messages } = await this.plan(tx, reader, messageIds, change);
    const changed = await this.apply(tx, reader.userId, change, plan);
    const changedIds = messageIds.filter((id) => changed.has(id));
    const unread = changedIds.flatMap((id) => messages?.get(id) ?? []);
    const event =
      change.op === 'add'
        ? messageFlagAdded(change.flag, changedIds)
        : messageFlagRemoved(
            change.flag,
            changedIds,
            makesUnread(change) ? await this.unread.placesOf(tx, reader, unread) : undefined,
          );
    tx.emit(event, Audience.of([reader.userId]));
    return { messageIds: changedIds, ignoredChannelIds: plan.ignoredChannelIds };
  }

  /**
   * The most frequent change: two round trips on PostgreSQL. Messages outside the person's history count as read
   * already.
   */
  private async markRead(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    { flag }: FlagChange,
  ): Promise<ChangedFlags> {
    const [reads, own] = await Promise.all([
      this.readState.lockAndLoad(tx, userId, messageIds),
      this.access.ownAmong(tx, userId, messageIds),
    ]);
    const ownIds = messageIds.filter((id) => own.has(id));
    const changedIds = await this.readState.markLast(tx, userId, reads, ownIds, 'read');
    tx.emit(messageFlagAdded(flag, changedIds), Audience.of([userId]));
    return { messageIds: changedIds, ignoredChannelIds: [] };
  }

  /** Plans the change while the user's flags are locked. */
  private async plan(
    tx: Transaction,
    reader: Reader,
    messageIds: readonly number[],
    change: FlagChange,
  ): Promise<{ readonly plan: FlagPlan; readonly messages: FoundMessages | null }> {
    const { userId } = reader;
    const subscribed = makesUnread(change) ? await this.lockSubscriptions(tx, userId, messageIds) : NONE;
    await this.readState.lock(tx, userId);
    if (concernsOwnOnly(change)) {
      const own = await this.access.ownAmong(tx, userId, messageIds);
      const plan = { own: messageIds.filter((id) => own.has(id)), entering: [], ignoredChannelIds: [] };
      return { plan, messages: null };
    }
    const messages = await this.access.among(tx, reader, messageIds);
    return { plan: planFlagChange(change, messageIds, messages, subscribed), messages };
  }

  /** Leaving a channel marks all its messages as read, so none may become unread at the same time. */
  private async lockSubscriptions(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    return this.subscriptions.lockAmong(tx, userId, await this.access.channelsOf(tx, messageIds));
  }

  private async apply(
    tx: Transaction,
    userId: number,
    { flag, bit, op }: FlagChange,
    { own, entering }: FlagPlan,
  ): Promise<ReadonlySet<number>> {
    const flags = op === 'add' ? Flag.read | bit : 0;
    if (entering.length > 0) await this.history.enter(tx, userId, entering, flags);
    return new Set([...entering, ...(await this.applyToOwn(tx, userId, { flag, bit, op }, own))]);
  }

  /** @returns the IDs of messages that changed */
  private applyToOwn(
    tx: Transaction,
    userId: number,
    { flag, bit, op }: FlagChange,
    own: readonly number[],
  ): Promise<number[]> {
    if (flag === 'read') return this.readState.mark(tx, userId, own, op === 'add' ? 'read' : 'unread');
    return op === 'add' ? this.rows.add(tx, userId, own, bit) : this.rows.remove(tx, userId, own, bit);
  }
}
