import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { StreamedBody } from '../../../platform/http/body/streamed-body';
import { type StoredUpload, UploadService } from '../upload.service';
import { UploadSpaceService } from '../upload-space.service';
import { FileTooLarge, UploadNotTaken, UploadOffsetMismatch, UploadQuotaExceeded } from '../uploads.errors';
import { UnfinishedFilesService } from './unfinished-files.service';
import { UnfinishedRowsService } from './unfinished-rows.service';
import type { UnfinishedUpload } from './unfinished-upload.entity';

/** Files that an account may have begun to send. Of more, the one that nothing came of for longest is given up. */
const MOST_UNFINISHED = 50;

const NOTHING = { pieces: '', received: 0 } as const;

/** What a client says of a file before it sends it. */
export interface AnnouncedUpload {
  readonly fileName: string;
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
}

/** A file of which everything has come. */
export interface CompletedUpload {
  readonly upload: null;
  readonly stored: StoredUpload;
  /** In bytes. */
  readonly length: number;
}

/** How far a file has come: it goes on, or is complete. */
type UploadStep = { readonly upload: UnfinishedUpload; readonly stored: null } | CompletedUpload;

/**
 * Takes files in that arrive piece by piece, perhaps on several nodes. A piece is a file of its own until the last one is
 * here, so that nothing is lost where a connection breaks, and nobody has to lock anything.
 */
@Injectable()
export class ResumableUploadsService {
  /** The pieces that this node receives now, by the ID of their upload. */
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

  /** Begins a file. An empty one is complete at once. @throws UploadNotTaken where it is too large */
  async begin(actor: Actor, announced: AnnouncedUpload): Promise<UploadStep> {
    await this.requireRoom(actor, announced.length);
    const id = randomBytes(18).toString('base64url');
    const upload = {
      ...announced,
      ...NOTHING,
      id,
      ownerId: actor.userId,
      touchedAt: this.clock.nowMs(),
    };
    const givenUp = await this.transactions.run(async (tx) => {
      const own = await this.rows.ofOwner(tx, actor.userId);
      const excess = own.slice(0, Math.max(0, own.length + 1 - MOST_UNFINISHED));
      for (const old of excess) await this.rows.remove(tx, old);
      await this.rows.insert(tx, upload);
      return excess;
    });
    for (const old of givenUp) await this.files.discard(old);
    return upload.length === 0 ? this.finish(upload, upload) : { upload, stored: null };
  }

  /** How far it has come, once nothing more arrives here. @throws NoSuchUnfinishedUpload */
  async progress(actor: Actor, id: string): Promise<UnfinishedUpload> {
    await this.rows.own(this.database.read, actor.userId, id);
    await this.settle(id);
    return this.rows.own(this.database.read, actor.userId, id);
  }

  /**
   * Takes the next piece. A client that sends again what is on its way has lost the connection, so that the earlier
   * request ends first.
   * @throws NoSuchUnfinishedUpload, UploadOffsetMismatch, PieceTooLong, TooManyPieces, UploadNotTaken
   */
  async append(actor: Actor, id: string, offset: number, body: StreamedBody): Promise<UploadStep> {
    await this.rows.own(this.database.read, actor.userId, id);
    const before = this.settle(id);
    const control = new AbortController();
    const done = before.then(async () => {
      const upload = await this.rows.own(this.database.read, actor.userId, id);
      if (upload.received !== offset) throw new UploadOffsetMismatch(upload.received);
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

  /** Gives a file up. @throws NoSuchUnfinishedUpload */
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
    const isNext = await this.transactions.run((tx) => this.rows.grow(tx, upload, grown));
    if (isNext) return { upload: grown, stored: null };
    await this.files.discardNew(upload, grown);
    const present = await this.rows.own(this.database.read, upload.ownerId, upload.id);
    throw new UploadOffsetMismatch(present.received);
  }

  /** Makes one file of all pieces. Should that fail, the last one has to be sent again. */
  private async finish(upload: UnfinishedUpload, complete: UnfinishedUpload): Promise<UploadStep> {
    try {
      const stored = await this.uploads.store(
        { userId: upload.ownerId },
        upload,
        (path) => this.files.join(complete, path),
        async (tx) => {
          if (await this.rows.remove(tx, upload)) return;
          throw new UploadOffsetMismatch((await this.rows.own(tx, upload.ownerId, upload.id)).received);
        },
      );
      await this.files.discard(complete);
      return { upload: null, stored, length: upload.length };
    } catch (error) {
      await this.files.discardNew(upload, complete);
      if (!(error instanceof UploadQuotaExceeded)) throw error;
      // Others were quicker. There is no use in sending the last piece again.
      if (await this.transactions.run((tx) => this.rows.remove(tx, upload))) await this.files.discard(upload);
      throw new UploadNotTaken(error);
    }
  }

  /** Others that arrive are counted, so that nobody fills the disk with what never ends. */
  private async requireRoom({ userId }: Actor, length: number): Promise<void> {
    const { maxUploadBytes, maxUploadMib } = this.config;
    if (length > maxUploadBytes) throw new UploadNotTaken(new FileTooLarge(maxUploadMib));
    const db = this.database.read;
    const { all, own } = await this.rows.lengths(db, this.space.together(userId));
    const room = await this.space.room(db, userId, { ofAll: all, ofPerson: own });
    if (length > room.bytes) throw new UploadNotTaken(room.refusal());
  }

  /** Ends the request that brings a piece, if there is one here, and waits until what came of it is noted. */
  private async settle(id: string): Promise<void> {
    const arriving = this.arriving.get(id);
    arriving?.stop();
    await arriving?.done.catch(() => undefined);
  }
}
