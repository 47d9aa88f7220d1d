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
import { NoSuchUnfinishedUpload, PieceElsewhere, PieceTooLong, TooManyPieces } from '../uploads.api';

/** Tells these advisory locks from others; the second number is the ID of the person. */
const UNFINISHED_LOCK = 7_275_276;

/** Where the file store keeps a piece. */
function piecePath(piece: string): string {
  return `unfinished/${piece.slice(0, 2)}/${piece}`;
}

/** Where the file store keeps what has arrived of a file, first to last. */
export function piecePaths({ pieces }: Pick<UnfinishedUpload, 'pieces'>): string[] {
  return pieces === '' ? [] : pieces.split(',').map(piecePath);
}

/** The rows of files that arrive piece by piece. */
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
   * Those of a person's accounts, the least recently touched first.
   * @param personId one of them; until the transaction ends no other one lists or adds uploads of the person
   */
  async lockAll(tx: Transaction, personId: number, ownerIds: readonly number[]): Promise<UnfinishedUpload[]> {
    if (tx.engine === 'postgres') {
      await tx.query(`SELECT pg_advisory_xact_lock(${UNFINISHED_LOCK}, ?)`, [personId]);
    }
    return entityRows(tx, UnfinishedUpload, 'WHERE owner_id IN (?) ORDER BY touched_at, id', [ownerIds]);
  }

  /** How many bytes have arrived of unfinished uploads, of all and of some accounts. */
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
   * Notes that one more piece is here.
   * @returns whether it was the next: another node may have been quicker
   */
  async grow(tx: Transaction, before: UnfinishedUpload, grown: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE unfinished_upload SET pieces = ?, received = ?, touched_at = ?
       WHERE id = ? AND received = ? RETURNING id`,
      [grown.pieces, grown.received, grown.touchedAt, before.id, before.received],
    );
    return rows.length > 0;
  }

  /** Removes the row unless more data arrived. @returns whether it did */
  async remove(tx: Transaction, { id, received }: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query('DELETE FROM unfinished_upload WHERE id = ? AND received = ? RETURNING id', [
      id,
      received,
    ]);
    return rows.length > 0;
  }

  /** Removes rows, even if more data arrived. @returns what they were */
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

/** Each is a file, and named in a row that is written anew with the next. */
const MOST_PIECES = 1000;

/** The pieces of files on the disk. */
@Injectable()
export class UnfinishedFilesService {
  constructor(
    private readonly files: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a piece, as much of it as comes.
   * @returns the upload with it; the same where nothing came
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

  /** Makes one file of all pieces, which stay. @returns its size */
  async join(upload: UnfinishedUpload, path: string): Promise<number> {
    await this.files.write(storedPath(path), (sink) => pipeline(this.contentOf(upload), sink));
    return upload.length;
  }

  private async *contentOf(upload: UnfinishedUpload): AsyncGenerator<Buffer> {
    for (const path of piecePaths(upload)) {
      const file = await this.files.open(path);
      if (!file) throw new PieceElsewhere();
      yield* file.content as AsyncIterable<Buffer>;
    }
  }

  /** Removes all pieces. */
  async discard(upload: UnfinishedUpload): Promise<void> {
    for (const path of piecePaths(upload)) await this.files.delete(path);
  }

  /** Removes the pieces that are new since then. */
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

/** Clients go on within minutes; a day lets a person who closed a laptop do so as well. */
const KEPT_MS = 86_400_000;

/** Removes uploads without data for a day, and those of deleted people. */
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

  /** Removes everything that is due by now. */
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
