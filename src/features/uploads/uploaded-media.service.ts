import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import { type UploadedMedia, uploadedFilesPort } from '../messages/messages.module';
import type { Requester } from '../user-groups/user-groups.module';
import { AttachmentAccess } from './attachment.access';
import type { Attachment, AttachmentPicture } from './attachment.entity';
import { AttachmentPicturesService } from './attachment-pictures.service';
import { AttachmentRowsService } from './attachment-rows.service';
import { parseUploadPath } from './upload-path';

/** Maximum number of images to examine per message; further ones stay links until another message includes them. */
const MAX_EXAMINED = 24;

/** Determines how messages can show the files that they link. */
@Injectable()
export class UploadedMediaService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly access: AttachmentAccess,
    private readonly pictures: AttachmentPicturesService,
    hooks: Hooks,
  ) {
    hooks.provide(uploadedFilesPort, {
      readableBy: (author, paths) => this.readableBy(author, paths),
      known: async (db, paths) => this.mediaOf(db, paths, await this.rows.byPaths(db, parsed(paths))),
    });
  }

  /** A file that the author may not read stays a plain link, so as not to reveal whether it exists. */
  private async readableBy(
    author: Requester,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, UploadedMedia>> {
    const db = this.database.read;
    const found = await this.rows.byPaths(db, parsed(paths));
    if (found.length === 0) return new Map();
    const readable = await this.access.readable(db, author, found);
    await this.examineOld(db, readable);
    return this.mediaOf(this.database.read, paths, readable);
  }

  /** Examines images that were uploaded before the server did so. */
  private async examineOld(db: Queryable, attachments: readonly Attachment[]): Promise<void> {
    const candidates = attachments.filter((attachment) => this.pictures.isCandidate(attachment));
    const known = await this.pictures.of(db, idsOf(candidates));
    const unknown = candidates.filter(({ id }) => !known.has(id)).slice(0, MAX_EXAMINED);
    for (const attachment of unknown) {
      const facts = await this.pictures.examine(attachment);
      if (!facts) return;
      await this.transactions.run(async (tx) => {
        const [kept] = await this.rows.keep(tx, [attachment.path]);
        if (kept) await this.pictures.note(tx, kept, facts);
      });
    }
  }

  private async mediaOf(
    db: Queryable,
    paths: readonly string[],
    attachments: readonly Attachment[],
  ): Promise<ReadonlyMap<string, UploadedMedia>> {
    const pictures = await this.pictures.of(db, idsOf(attachments));
    const byPath = new Map(attachments.map((attachment) => [attachment.path, attachment]));
    const media = new Map<string, UploadedMedia>();
    for (const path of paths) {
      const attachment = byPath.get(parseUploadPath(path) ?? '');
      if (!attachment) continue;
      media.set(path, { contentType: attachment.contentType, picture: shown(pictures.get(attachment.id)) });
    }
    return media;
  }
}

function parsed(paths: readonly string[]): string[] {
  return [...new Set(paths.map(parseUploadPath).filter((path) => path !== null))];
}

function idsOf(attachments: readonly Attachment[]): number[] {
  return attachments.map(({ id }) => id);
}

function shown(picture: AttachmentPicture | undefined): UploadedMedia['picture'] {
  return picture && picture.width > 0 ? picture : null;
}
