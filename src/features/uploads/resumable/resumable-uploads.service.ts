import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, personOf } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { Queryable } from '../../../platform/sql/queryable';
import type { StreamedBody } from '../../../platform/http/body/streamed-body';
import { type StoredUpload, UploadService } from '../upload.service';
import { UploadSpaceService } from '../upload-space.service';
import { FileTooLarge, UploadPartRefused, UploadOffsetMismatch, UploadQuotaExceeded } from '../uploads.api';
import { UnfinishedFilesService, UnfinishedRowsService } from './unfinished-uploads.service';
import type { UnfinishedUpload } from './unfinished-upload.entity';

/**
 * Maximum number of unfinished uploads of a person and their bots. Beyond it, the least recently used one is canceled.
 */
const MOST_UNFINISHED = 50;

const NOTHING = { pieces: '', received: 0 } as const;

/** What a client announces about a file before sending it. */
export interface AnnouncedUpload {
  readonly fileName: string;
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
}

/** A file that has arrived completely. */
export interface CompletedUpload {
  readonly upload: null;
  readonly stored: StoredUpload;
  /** In bytes. */
  readonly length: number;
}

/** The state of an upload: unfinished or complete. */
type UploadStep = { readonly upload: UnfinishedUpload; readonly stored: null } | CompletedUpload;

/**
 * Receives files in parts, possibly on several nodes. Each part is a separate file until the last one arrives, so that
 * a broken connection loses nothing, and no locks are needed.
 */
@Injectable()
export class ResumableUploadsService {
  /** The parts that this node is receiving, by upload ID. */
  private readonly arriving = new Map<string, { stop(): void; readonly done: Promise<unknown> }>();

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: UnfinishedRowsService,
    private readonly files: UnfinishedFilesService,
    private readonly uploads: UploadService,
    private readonly space: UploadSpaceService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Starts an upload, without reserving space. An empty file is complete immediately. @throws UploadPartRefused */
  async begin(actor: Actor, announced: AnnouncedUpload): Promise<UploadStep> {
    const { maxUploadBytes, maxUploadMib } = this.config;
    const { length } = announced;
    if (length > maxUploadBytes) throw new UploadPartRefused(new FileTooLarge(maxUploadMib));
    await this.requireRoom(this.database.read, actor.userId, length);
    const id = randomBytes(18).toString('base64url');
    const upload = {
      ...announced,
      ...NOTHING,
      id,
      ownerId: actor.userId,
      touchedAt: this.clock.nowMs(),
    };
    const givenUp = await this.transactions.run(async (tx) => {
      const own = await this.rows.lockAll(tx, personOf(actor), this.space.together(actor.userId));
      const excess = own.slice(0, Math.max(0, own.length + 1 - MOST_UNFINISHED));
      for (const old of excess) await this.rows.remove(tx, old);
      await this.rows.insert(tx, upload);
      return excess;
    });
    for (const old of givenUp) await this.files.discard(old);
    return upload.length === 0 ? this.finish(upload, upload) : { upload, stored: null };
  }

  /** The progress of an upload, once no more data is arriving on this node. @throws NoSuchUnfinishedUpload */
  async progress(actor: Actor, id: string): Promise<UnfinishedUpload> {
    await this.rows.own(this.database.read, actor.userId, id);
    await this.settle(id);
    return this.rows.own(this.database.read, actor.userId, id);
  }

  /**
   * Receives the next part. A client that resends a part has lost the connection, so the earlier request is ended
   * first.
   * @throws NoSuchUnfinishedUpload, UploadOffsetMismatch, PieceTooLong, TooManyPieces, UploadPartRefused
   */
  async append(actor: Actor, id: string, offset: number, body: StreamedBody): Promise<UploadStep> {
    await this.rows.own(this.database.read, actor.userId, id);
    const before = this.settle(id);
    const control = new AbortController();
    const done = before.then(async () => {
      const upload = await this.rows.own(this.database.read, actor.userId, id);
      if (upload.received !== offset) throw new UploadOffsetMismatch(upload.received);
      const rest = upload.length - upload.received;
      await this.orGivenUp(upload, upload, () => this.requireRoom(this.database.read, upload.ownerId, rest));
      return this.take(upload, body, control.signal);
    });
    const arriving = { stop: () => control.abort(), done };
    this.arriving.set(id, arriving);
    try {
      return await done;
    } finally {
      if (this.arriving.get(id) === arriving) this.arriving.delete(id);
    }
  }

  /** Cancels an upload. @throws NoSuchUnfinishedUpload */
  async abandon(actor: Actor, id: string): Promise<void> {
    const upload = await this.progress(actor, id);
    const isRemoved = await this.transactions.run((tx) => this.rows.remove(tx, upload));
    if (!isRemoved) return this.abandon(actor, id);
    await this.files.discard(upload);
  }

  private async take(
    upload: UnfinishedUpload,
    body: StreamedBody,
    stopped: AbortSignal,
  ): Promise<UploadStep> {
    const grown = await this.files.receive(upload, body, stopped);
    if (grown.received === upload.length) return this.finish(upload, grown);
    if (grown.received === upload.received) return { upload, stored: null };
    const isNext = await this.orGivenUp(upload, grown, () => this.grow(upload, grown));
    if (isNext) return { upload: grown, stored: null };
    await this.files.discardNew(upload, grown);
    const present = await this.rows.own(this.database.read, upload.ownerId, upload.id);
    throw new UploadOffsetMismatch(present.received);
  }

  /** Joins all parts into one file. If that fails, the last part has to be sent again. */
  private async finish(upload: UnfinishedUpload, complete: UnfinishedUpload): Promise<UploadStep> {
    const stored = await this.orGivenUp(upload, complete, () =>
      this.uploads.store(
        { userId: upload.ownerId },
        upload,
        (path) => this.files.join(complete, path),
        async (tx) => {
          if (await this.rows.remove(tx, upload)) return;
          throw new UploadOffsetMismatch((await this.rows.own(tx, upload.ownerId, upload.id)).received);
        },
      ),
    );
    await this.files.discard(complete);
    return { upload: null, stored, length: upload.length };
  }

  /** Records a part. Parts received by other nodes count. @returns whether it was the next */
  private grow(upload: UnfinishedUpload, grown: UnfinishedUpload): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      if (!(await this.rows.grow(tx, upload, grown))) return false;
      await this.space.lock(tx);
      await this.requireRoom(tx, upload.ownerId, 0);
      return true;
    });
  }

  /**
   * Runs `work` and discards the new part if it fails. If there is no room, cancels the whole upload, as sending the
   * part again would not help.
   */
  private async orGivenUp<T>(
    before: UnfinishedUpload,
    after: UnfinishedUpload,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.files.discardNew(before, after);
      if (!(error instanceof UploadQuotaExceeded || error instanceof UploadPartRefused)) throw error;
      if (await this.transactions.run((tx) => this.rows.remove(tx, before))) await this.files.discard(before);
      throw error instanceof UploadPartRefused ? error : new UploadPartRefused(error);
    }
  }

  /**
   * Counts received bytes of unfinished uploads, so that they cannot fill the disk, but not announced bytes, which
   * would block the quota.
   * @throws UploadPartRefused
   */
  private async requireRoom(db: Queryable, userId: number, bytes: number): Promise<void> {
    const arrived = await this.rows.arrived(db, this.space.together(userId));
    const room = await this.space.room(db, userId, arrived);
    if (bytes > room.bytes) throw new UploadPartRefused(room.refusal());
  }

  /** Ends the request that is receiving a part on this node, if any, and waits until its result is stored. */
  private async settle(id: string): Promise<void> {
    const arriving = this.arriving.get(id);
    arriving?.stop();
    await arriving?.done.catch(() => undefined);
  }
}
