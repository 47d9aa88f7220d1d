import { Injectable } from '@nestjs/common';
import { readState } from '../../../platform/database/server-state';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { SqlRunner } from '../../../platform/sql/queryable';
import { anyOf, condition, type SqlCondition } from '../../messages/messages.module';
import { fileHoldsPort } from '../../uploads/uploads.module';
import { personalDataRemoved } from '../../users/users.module';
import { type HeldMessages, PersonHeld } from './legal-holds.api';

/** Key in `server_state` with the holds. */
export const HOLDS = 'legal holds';

/**
 * On PostgreSQL deletions take this lock, shared, before any other lock, and then check the holds. Placing a hold takes
 * it exclusively, so that no deletion is in progress that does not know the hold. SQLite has a single writer.
 */
const HOLDS_LOCK = 7_275_277;

/** How many earlier versions of messages are searched for files at once. */
const VERSIONS_PER_STEP = 500;

/** IDs of people and channels. */
interface HeldPlaces {
  readonly userIds: readonly number[];
  readonly channelIds: readonly number[];
}

/** A file that may be on hold. */
interface StoredFile {
  readonly id: number;
  /** The part of the address after `/user_uploads/`. */
  readonly path: string;
}

/**
 * Determines what must not be deleted: messages that a person sent, the person's direct conversations, everything that
 * is or ever was in a channel, and the files of all these.
 */
@Injectable()
export class LegalHoldsService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      const { userIds } = await this.targets(tx);
      if (userIds.includes(userId)) throw new PersonHeld();
    });
    hooks.provide(fileHoldsPort, {
      settle: (tx) => this.settle(tx),
      heldAmong: (db, files) => this.filesHeldAmong(db, files),
    });
  }

  /** Prevents new holds until the transaction ends. Must be called before anything is locked. */
  async settle(tx: Transaction): Promise<void> {
    if (tx.engine === 'postgres') await tx.query(`SELECT pg_advisory_xact_lock_shared(${HOLDS_LOCK})`);
  }

  /** People and channels whose messages are on hold. */
  async targets(db: SqlRunner): Promise<HeldPlaces> {
    const holds = await allHolds(db);
    return {
      userIds: holds.flatMap(({ userId }) => userId ?? []),
      channelIds: holds.flatMap(({ channelId }) => channelId ?? []),
    };
  }

  /** The condition that a message `m` is on hold; null if there are no holds. */
  async condition(db: SqlRunner): Promise<SqlCondition | null> {
    const { userIds, channelIds } = await this.targets(db);
    const ofPeople = [
      condition('m.sender_id IN (?)', userIds),
      condition(
        `m.conversation_id IN (
           SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id IN (?))`,
        userIds,
      ),
    ];
    const ofChannels = [
      condition('m.channel_id IN (?)', channelIds),
      condition(
        `EXISTS (SELECT 1 FROM message_edit e WHERE e.message_id = m.id AND e.prev_channel_id IN (?))`,
        channelIds,
      ),
    ];
    const parts = [...(userIds.length > 0 ? ofPeople : []), ...(channelIds.length > 0 ? ofChannels : [])];
    return parts.length > 0 ? anyOf(...parts) : null;
  }

  /** Filters messages down to those on hold. */
  async heldAmong(db: SqlRunner, messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    const held = messageIds.length > 0 ? await this.condition(db) : null;
    if (held === null) return new Set();
    const rows = await db.query<{ id: number }>(
      `SELECT m.id FROM message m WHERE m.id IN (?) AND (${held.sql})`,
      [messageIds, ...held.values],
    );
    return idsIn(rows);
  }

  /** Filters files down to those that a held message links, or linked before an edit. */
  async filesHeldAmong(db: SqlRunner, files: readonly StoredFile[]): Promise<ReadonlySet<number>> {
    const held = files.length > 0 ? await this.condition(db) : null;
    if (held === null) return new Set();
    const linked = await db.query<{ id: number }>(
      `SELECT DISTINCT l.attachment_id AS id FROM attachment_message l JOIN message m ON m.id = l.message_id
       WHERE l.attachment_id IN (?) AND (${held.sql})`,
      [files.map(({ id }) => id), ...held.values],
    );
    const ids = idsIn(linked);
    await this.addFormerlyLinked(db, held, files, ids);
    return ids;
  }

  private async addFormerlyLinked(
    db: SqlRunner,
    held: SqlCondition,
    files: readonly StoredFile[],
    ids: Set<number>,
  ): Promise<void> {
    for (let last = 0; files.some(({ id }) => !ids.has(id));) {
      const versions = await db.query<{ id: number; content: string }>(
        `SELECT f.id, f.prev_content AS content FROM message_edit f JOIN message m ON m.id = f.message_id
         WHERE f.id > ? AND f.prev_content LIKE '%/user_uploads/%' AND (${held.sql}) ORDER BY f.id LIMIT ?`,
        [last, ...held.values, VERSIONS_PER_STEP],
      );
      for (const { id, path } of files) {
        // The name may be encoded in several ways; the part before it is unique.
        const place = path.slice(0, path.lastIndexOf('/') + 1);
        if (versions.some(({ content }) => content.includes(place))) ids.add(id);
      }
      if (versions.length < VERSIONS_PER_STEP) return;
      last = versions.at(-1)!.id;
    }
  }
}

/** Waits for deletions in progress, and blocks new ones until the transaction ends. */
export async function stopDeletions(tx: Transaction): Promise<void> {
  if (tx.engine === 'postgres') await tx.query(`SELECT pg_advisory_xact_lock(${HOLDS_LOCK})`);
}

/** All holds, in the order in which they were placed. */
export async function allHolds(db: SqlRunner): Promise<readonly HeldMessages[]> {
  const text = await readState(db, HOLDS);
  return text === null ? [] : (JSON.parse(text) as HeldMessages[]);
}

function idsIn(rows: readonly { readonly id: number }[]): Set<number> {
  return new Set(rows.map(({ id }) => id));
}
