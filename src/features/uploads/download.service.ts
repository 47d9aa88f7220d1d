import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { FileStore } from '../../platform/files/file-store';
import type { FileAnswer } from '../../platform/http/files/file-answer';
import type { Requester as Reader } from '../user-groups';
import { AttachmentAccess } from './attachment.access';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { keyOf, storedPath } from './upload-path';
import { TemporaryLinkService } from './temporary-link.service';
import { NoSuchUpload } from './uploads.errors';

/** Hands files out: to those who may read them, and for a minute to whoever has a temporary link. */
@Injectable()
export class DownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: AttachmentAccess,
    private readonly rows: AttachmentRowsService,
    private readonly files: FileStore,
    private readonly temporaryLinks: TemporaryLinkService,
  ) {}

  /**
   * @param reader null for somebody without an account
   * @param path what stands after `/user_uploads/`
   * @throws NoSuchUpload, UploadOutOfReach
   */
  async find(reader: Reader | null, path: string): Promise<FileAnswer> {
    return this.answer(await this.access.forReading(this.database.read, reader, path));
  }

  /** @returns an address, relative to the site. @throws NoSuchUpload, UploadOutOfReach */
  async temporaryUrl(reader: Reader, path: string): Promise<string> {
    const { id, path: stored } = await this.access.forReading(this.database.read, reader, path);
    const name = encodeURIComponent(stored.split('/').at(-1) ?? '');
    return `/user_uploads/temporary/${this.temporaryLinks.tokenFor(id)}/${name}`;
  }

  /** @throws InvalidTemporaryLink, NoSuchUpload */
  async findByToken(token: string): Promise<FileAnswer> {
    const attachment = await this.rows.byId(this.database.read, this.temporaryLinks.attachmentIdOf(token));
    if (!attachment) throw new NoSuchUpload();
    return this.answer(attachment);
  }

  private answer({ path, fileName, contentType, size }: Attachment): FileAnswer {
    const open: FileAnswer['open'] = async (range) => {
      const file = await this.files.open(storedPath(path), range);
      if (!file) throw new NoSuchUpload();
      return file.content;
    };
    return { fileName, contentType, size, version: keyOf(path), open };
  }
}
