import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { readState, writeState } from '../../../platform/database/server-state';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  type AccountRecord,
  contentErased,
  type Erased,
  OperatorAccountAccess,
} from '../../users/users.module';
import { ChannelRowsService } from '../locks/message-locks.service';
import { RemoveMessagesService } from './delete-messages.service';
import { EraseContentInput, type ErasureReceipt, KEPT_BY_ERASURE } from './erasure.api';
import { LegalHoldsService } from './legal-holds.service';

/** Small enough not to delay others, who write between two steps. */
const PER_STEP = 100;
const PAUSE_MS = 5;

/** The progress of an erasure. */
interface Erasure {
  /** UNIX milliseconds. */
  readonly startedAt: number;
  readonly erased: Erased;
}

/**
 * Erases what a person wrote and uploaded, on request: messages, files, reactions and unsent drafts. Each step stores
 * its counts together with the deletions, so that the receipt is complete even after an interruption.
 */
@Injectable()
export class EraseContentService {
  private readonly underWay = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly access: OperatorAccountAccess,
    private readonly channels: ChannelDirectory,
    private readonly channelRows: ChannelRowsService,
    private readonly removing: RemoveMessagesService,
    private readonly holds: LegalHoldsService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command(
        'user erase',
        EraseContentInput,
        (input, context) => this.erase(input, context),
        ({ user }) => user,
      ),
    );
  }

  /** @throws CommandRefused; AttachmentHeld for a hold placed in the meantime */
  private async erase({ user }: EraseContentInput, context: OperatorContext): Promise<ErasureReceipt> {
    const account = this.access.find(user);
    if (account.isActive)
      throw new CommandRefused(
        `${account.fullName} is active, and could write more. Run "parley user deactivate ${account.id}" first.`,
      );
    if (this.underWay.has(account.id)) throw new CommandRefused('This erasure is already under way.');
    this.underWay.add(account.id);
    try {
      await this.requireFree(account);
      await this.transactions.run((tx) => this.note(tx, account.id, {}));
      await this.eraseMessages(account, context);
      await this.eraseRest(account, context);
      return await this.finish(account);
    } finally {
      this.underWay.delete(account.id);
    }
  }

  private async finish(account: AccountRecord): Promise<ErasureReceipt> {
    const { startedAt, erased } = await this.transactions.run(async (tx) => {
      const erasure = await this.note(tx, account.id, {});
      this.audit.record(tx, THE_OPERATOR, 'user.content_erased', { userId: account.id }, erasure.erased);
      return erasure;
    });
    return {
      user_id: account.id,
      email: account.deliveryEmail,
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(this.clock.nowMs()).toISOString(),
      erased,
      kept: KEPT_BY_ERASURE,
    };
  }

  /** @throws CommandRefused if a hold covers anything of the person */
  private async requireFree({ id, fullName }: AccountRecord): Promise<void> {
    const db = this.database.background;
    const held = await this.holds.condition(db);
    if (held === null) return;
    const { userIds } = await this.holds.targets(db);
    const messages = await db.query(
      `SELECT m.id FROM message m WHERE m.sender_id = ? AND (${held.sql}) LIMIT 1`,
      [id, ...held.values],
    );
    const files = await db.query<{ id: number; path: string }>(
      'SELECT id, path FROM attachment WHERE owner_id = ?',
      [id],
    );
    const heldFiles = await this.holds.filesHeldAmong(db, files);
    if (userIds.includes(id) || messages.length > 0 || heldFiles.size > 0) throw contentHeld(fullName);
  }

  private async eraseMessages(account: AccountRecord, { signal, report }: OperatorContext): Promise<void> {
    const { total } = await this.database.background.queryOne<{ total: number }>(
      'SELECT COUNT(*) AS total FROM message WHERE sender_id = ?',
      [account.id],
    );
    const first = new Map([...this.channels.all()].map(({ id, firstMessageId }) => [id, firstMessageId]));
    for (let done = 0; ;) {
      requireWaiting(signal);
      const rows = await this.database.read.query<{ id: number }>(
        'SELECT id FROM message WHERE sender_id = ? ORDER BY id LIMIT ?',
        [account.id, PER_STEP],
      );
      if (rows.length === 0) break;
      done += await this.eraseStep(
        account,
        rows.map(({ id }) => id),
      );
      report({ done, total: Math.max(done, Number(total)), what: 'messages' });
      await pause(PAUSE_MS);
    }
    const changed = [...this.channels.all()].filter((each) => each.firstMessageId !== first.get(each.id));
    for (const { id } of changed) await this.transactions.run((tx) => this.channelRows.tellFirst(tx, id));
  }

  private eraseStep(account: AccountRecord, messageIds: readonly number[]): Promise<number> {
    return this.removing.remove({
      messageIds,
      deleterId: null,
      choose: async (tx, locked) => {
        const held = await this.holds.heldAmong(tx, messageIds);
        if (held.size > 0) throw contentHeld(account.fullName);
        await this.note(tx, account.id, { messages: locked.length });
        return locked;
      },
    });
  }

  /** Erases what other features store. */
  private async eraseRest({ id }: AccountRecord, { signal, report }: OperatorContext): Promise<void> {
    for (let done = 0; ;) {
      requireWaiting(signal);
      const count = await this.transactions.run(async (tx) => {
        await this.holds.settle(tx);
        const parts = await this.hooks.run(contentErased, tx, id, PER_STEP);
        for (const part of parts) await this.note(tx, id, part);
        return parts.flatMap((part) => Object.values(part)).reduce((sum, each) => sum + each, 0);
      });
      if (count === 0) return;
      done += count;
      report({ done, total: done, what: 'files and others' });
      await pause(PAUSE_MS);
    }
  }

  /** Adds to the counts, or starts them. @returns the totals so far */
  private async note(tx: Transaction, userId: number, counts: Erased): Promise<Erasure> {
    const key = `erasure of ${userId}`;
    const text = await readState(tx, key);
    const known =
      text === null ? { startedAt: this.clock.nowMs(), erased: {} } : (JSON.parse(text) as Erasure);
    const erased: Record<string, number> = { messages: 0, ...known.erased };
    for (const [kind, count] of Object.entries(counts)) erased[kind] = (erased[kind] ?? 0) + count;
    const erasure = { ...known, erased };
    await writeState(tx, key, JSON.stringify(erasure));
    return erasure;
  }
}

function requireWaiting(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandRefused('Canceled. Run the command again to erase the rest.');
}

function contentHeld(name: string): CommandRefused {
  return new CommandRefused(`Content of ${name} is on legal hold. See "parley hold list".`);
}
