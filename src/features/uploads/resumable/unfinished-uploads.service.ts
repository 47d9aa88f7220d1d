import { randomBytes } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { UnfinishedUpload } from './unfinished-upload.entity';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { FileStore } from '../../../platform/files/file-store';
import { Hooks } from '../../../platform/hooks/hooks';
import type { StreamedBody } from '../../../platform/http/body/streamed-body';
import { PeriodicTask, ProcessPurpose } from '../../../platform/lifecycle/periodic-task';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { personalDataRemoved } from '../../users/users.module';
import { storedPath } from '../upload-path';
import type { ArrivedBytes } from '../upload-space.service';
import { NoSuchUnfinishedUpload, PartOnAnotherNode, PieceTooLong, TooManyPieces } from '../uploads.api';

/** The namespace of these advisory locks; the second key is the ID of the person. */
const UNFINISHED_LOCK = 7_275_276;

/** The path of a part in the file store. */
function piecePath(piece: string): string {
  return `unfinished/${piece.slice(0, 2)}/${piece}`;
}

/** The paths of a file's parts in the file store, in order. */
export function piecePaths({ pieces }: Pick<UnfinishedUpload, 'pieces'>): string[] {
  return pieces === '' ? [] : pieces.split(',').map(piecePath);
}

/** The rows of files that arrive in parts. */
@Injectable()
export class UnfinishedRowsService {
  /**
   * @throws NoSuchUnfinishedUpload, also for an upload of another user
   *
   */
  async own(db: Queryable, ownerId: number, id: string): Promise<UnfinishedUpload> {
    const [row] = await entityRows(db, UnfinishedUpload, 'WHERE id = ? AND owner_id = ?', [id, ownerId]);
    if (!row) throw new NoSuchUnfinishedUpload();
    return row;
  }

  /**
   * Unfinished uploads of a person's accounts, least recently used first.
   * @param personId the person, for whom no other transaction lists or adds uploads until this one ends
   */
  async lockAll(tx: Transaction, personId: number, ownerIds: readonly number[]): Promise<UnfinishedUpload[]> {
    if (tx.engine === 'postgres') {
      await tx.query(`SELECT pg_advisory_xact_lock(${UNFINISHED_LOCK}, ?)`, [personId]);
    }
    return entityRows(tx, UnfinishedUpload, 'WHERE owner_id IN (?) ORDER BY touched_at, id', [ownerIds]);
  }

  /** How many bytes of unfinished uploads have arrived, in total and for some accounts. */
  async arrived(db: Queryable, ownerIds: readonly number[]): Promise<ArrivedBytes> {
    const { everybody, own } = await db.queryOne<{ everybody: number | string; own: number | string }>(
      `SELECT COALESCE(SUM(received), 0) AS everybody,
         COALESCE(SUM(CASE WHEN owner_id IN (?) THEN received ELSE 0 END), 0) AS own FROM unfinished_upload`,
      [ownerIds],
    );
    return { ofAll: Number(everybody), ofPerson: Number(own) };
  }

  async insert(tx: Transaction, upload: UnfinishedUpload): Promise<void> {
    await tx.repository(UnfinishedUpload).insert(upload);
  }

  /**
   * Records one more part.
   * @returns whether it was the next one: another node may have been faster
   */
  async grow(tx: Transaction, before: UnfinishedUpload, grown: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE unfinished_upload SET pieces = ?, received = ?, touched_at = ?
       WHERE id = ? AND received = ? RETURNING id`,
      [grown.pieces, grown.received, grown.touchedAt, before.id, before.received],
    );
    return rows.length > 0;
  }

  /** Deletes the row unless more data arrived. @returns whether it did */
  async remove(tx: Transaction, { id, received }: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query('DELETE FROM unfinished_upload WHERE id = ? AND received = ? RETURNING id', [
      id,
      received,
    ]);
    return rows.length > 0;
  }

  /** Deletes rows, even if more data arrived. @returns the deleted rows */
  async removeAll(
    tx: Transaction,
    condition: 'owner_id = ?' | 'touched_at < ?',
    value: number,
  ): Promise<UnfinishedUpload[]> {
    const rows = await entityRows(tx, UnfinishedUpload, `WHERE ${condition} ORDER BY id`, [value]);
    const removed: UnfinishedUpload[] = [];
    for (const row of rows) if (await this.remove(tx, row)) removed.push(row);
    return removed;
  }
}

/** Each part is a file, and is listed in a row that is rewritten with every part. */
const MOST_PIECES = 1000;

/** The files with the parts. */
@Injectable()
export class UnfinishedFilesService {
  constructor(
    private readonly files: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores as much of a part as arrives.
   * @returns the upload including the part; unchanged if nothing arrived
   * @throws PieceTooLong, TooManyPieces
   */
  async receive(
    upload: UnfinishedUpload,
    body: StreamedBody,
    stopped: AbortSignal,
  ): Promise<UnfinishedUpload> {
    if (piecePaths(upload).length >= MOST_PIECES) throw new TooManyPieces(MOST_PIECES);
    const piece = randomBytes(18).toString('hex');
    const room = upload.length - upload.received;
    const size = await this.files.write(piecePath(piece), (sink) =>
      writeAll(body.bytes(stopped), sink, room),
    );
    if (size === 0) {
      await this.files.delete(piecePath(piece));
      return upload;
    }
    const pieces = upload.pieces === '' ? piece : `${upload.pieces},${piece}`;
    return { ...upload, pieces, received: upload.received + size, touchedAt: this.clock.nowMs() };
  }

  /** Joins all parts into one file, and keeps the parts. @returns its size */
  async join(upload: UnfinishedUpload, path: string): Promise<number> {
    await this.files.write(storedPath(path), (sink) => pipeline(this.contentOf(upload), sink));
    return upload.length;
  }

  private async *contentOf(upload: UnfinishedUpload): AsyncGenerator<Buffer> {
    for (const path of piecePaths(upload)) {
      const file = await this.files.open(path);
      if (!file) throw new PartOnAnotherNode();
      yield* file.content as AsyncIterable<Buffer>;
    }
  }

  /** Deletes all parts. */
  async discard(upload: UnfinishedUpload): Promise<void> {
    for (const path of piecePaths(upload)) await this.files.delete(path);
  }

  /** Deletes the parts that were added in between. */
  async discardNew(before: UnfinishedUpload, after: UnfinishedUpload): Promise<void> {
    const kept = new Set(piecePaths(before));
    for (const path of piecePaths(after)) if (!kept.has(path)) await this.files.delete(path);
  }
}

/** @returns how many bytes there were. @throws PieceTooLong */
async function writeAll(bytes: AsyncIterable<Buffer>, sink: Writable, room: number): Promise<number> {
  let size = 0;
  const measured = async function* () {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > room) throw new PieceTooLong();
      yield chunk;
    }
  };
  await pipeline(Readable.from(measured(), { objectMode: false }), sink);
  return size;
}

const INTERVAL_MS = 3_600_000;

/** Clients usually resume within minutes; a day also covers a person who closed a laptop. */
const KEPT_MS = 86_400_000;

/** Deletes uploads without data for a day, and those of deleted people. */
@Injectable()
export class ExpireUnfinishedService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('Uploads', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly rows: UnfinishedRowsService,
    private readonly files: UnfinishedFilesService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeOf(tx, userId));
  }

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes everything that has expired. */
  async expire(): Promise<void> {
    const before = this.clock.nowMs() - KEPT_MS;
    await this.discard(
      await this.transactions.run((tx) => this.rows.removeAll(tx, 'touched_at < ?', before)),
    );
  }

  private async removeOf(tx: Transaction, userId: number): Promise<void> {
    const removed = await this.rows.removeAll(tx, 'owner_id = ?', userId);
    tx.afterCommit(() => this.discard(removed));
  }

  private async discard(removed: readonly UnfinishedUpload[]): Promise<void> {
    for (const upload of removed) await this.files.discard(upload);
  }
}
