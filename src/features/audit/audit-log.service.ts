import { Injectable } from '@nestjs/common';
import { THE_SERVER, type Caller } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { chunksOf } from '../../platform/collections';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { secretChanged } from '../../platform/secrets/secrets.hooks';
import type { AuditAction } from './audit-actions';
import { type AuditDetails, storedDetails } from './audit-details';
import { accountActionRecorded } from './audit.hooks';

/** Who did it: an actor, or a caller who is not signed in. */
export type AuditAuthor = Caller & { readonly userId?: number };

/** What it was done to. */
interface AuditTarget {
  /** Of the kind that the action says; left out where it is about an account, or about nothing in particular. */
  readonly id?: number;
  /** Account or accounts to which it was done: each gets an entry. */
  readonly userId?: number | readonly number[];
}

const INSERT = `INSERT INTO audit_entry
  (created_at, way, address, client_name, actor_id, action, target_user_id, target_id, details) VALUES`;
const ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Few enough for one statement. */
const ROWS_PER_STATEMENT = 500;

/**
 * Records changes for later review. The caller records each change in its own transaction, so that change and entry are
 * stored together or not at all.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(secretChanged, async (tx) => this.record(tx, THE_SERVER, 'server.secret_changed', {}));
  }

  /**
   * Records an actor's change. For commands and the server, the entry names no actor, whichever account they use.
   * Entries are written with the last statements of the transaction, without a round trip.
   */
  record(
    tx: Transaction,
    by: AuditAuthor,
    action: AuditAction,
    { id, userId }: AuditTarget,
    details: AuditDetails = {},
  ): void {
    const { way, address, clientName, limit } = by;
    const stored = storedDetails(limit ? { ...details, by_key: limit.keyId } : details);
    const isByAccount = way === 'main' || way === 'companion';
    const actorId = isByAccount ? (by.userId ?? null) : null;
    const before = [this.clock.nowSeconds(), way, address, clientName, actorId, action];
    const users = typeof userId === 'object' ? userId : [userId ?? null];
    const accounts = users.filter((user) => user !== null);
    if (accounts.length > 0) this.hooks.ask(accountActionRecorded, tx, action, accounts);
    for (const some of chunksOf(users, ROWS_PER_STATEMENT)) {
      const rows = some.map((user) => [...before, user, id ?? user, stored]);
      tx.atEnd(`${INSERT} ${rows.map(() => ROW).join(', ')}`, rows.flat());
    }
  }

  /**
   * Erases the addresses and client programs of a deleted person's entries. The entries themselves stay: their ID no
   * longer identifies anyone.
   */
  forget(tx: Transaction, userId: number): void {
    tx.atEnd(
      `UPDATE audit_entry SET address = '', client_name = ''
       WHERE actor_id = ? OR (actor_id IS NULL AND target_user_id = ?)`,
      [userId, userId],
    );
  }
}
