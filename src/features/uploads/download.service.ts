import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { FileStore } from '../../platform/files/file-store';
import type { FileAnswer } from '../../platform/http/files/file-answer.interceptor';
import { DerivedKeys } from '../../platform/secrets/server-secret';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import { AttachmentAccess } from './attachment.access';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { keyOf, nameOf, storedPath } from './upload-path';
import { InvalidTemporaryFileName, InvalidTemporaryLink, NoSuchUpload } from './uploads.api';

/** Lifetime of a temporary link. */
const VALID_SECONDS = 60;

/** Attachment ID and time of expiry in base 36, then the signature. */
const TOKEN = /^(([0-9a-z]{1,8})-([0-9a-z]{1,8}))-([\w-]{43})$/;

/**
 * Serves files to users who may read them, and for a minute to anyone with a temporary link, as media players cannot
 * sign in. Links are signed, not stored.
 */
@Injectable()
export class DownloadService {
  private readonly key: Buffer;

  constructor(
    private readonly database: Database,
    private readonly access: AttachmentAccess,
    private readonly rows: AttachmentRowsService,
    private readonly files: FileStore,
    private readonly clock: Clock,
    keys: DerivedKeys,
  ) {
    this.key = keys.current('temporary-links');
  }

  /**
   * @param reader null for a person without an account
   * @param path the part of the URL after `/user_uploads/`
   * @throws NoSuchUpload, UploadNotAccessible
   */
  async find(reader: Reader | null, path: string): Promise<FileAnswer> {
    return this.answer(await this.access.forReading(this.database.read, reader, path));
  }

  /** @returns a URL relative to the site. @throws NoSuchUpload, UploadNotAccessible */
  async temporaryUrl(reader: Reader, path: string): Promise<string> {
    const { id, path: stored } = await this.access.forReading(this.database.read, reader, path);
    return `/user_uploads/temporary/${this.tokenFor(id)}/${encodeURIComponent(nameOf(stored))}`;
  }

  /**
   * Resolves a temporary link. The file name is part of it, so that a link cannot be shared under a misleading name.
   * @param name the last segment of the URL, as issued
   * @throws InvalidTemporaryLink, InvalidTemporaryFileName, NoSuchUpload
   */
  async findByToken(token: string, name: string): Promise<FileAnswer> {
    const attachment = await this.rows.byId(this.database.read, this.attachmentIdOf(token));
    if (!attachment) throw new NoSuchUpload();
    if (name.normalize('NFC') !== nameOf(attachment.path)) throw new InvalidTemporaryFileName();
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

  private tokenFor(attachmentId: number): string {
    const expiresAt = this.clock.nowSeconds() + VALID_SECONDS;
    const grant = `${attachmentId.toString(36)}-${expiresAt.toString(36)}`;
    return `${grant}-${this.sign(grant).toString('base64url')}`;
  }

  /** @returns the ID of the attachment. @throws InvalidTemporaryLink for forged and expired links */
  private attachmentIdOf(token: string): number {
    const [, grant, id, expiresAt, signature] = TOKEN.exec(token) ?? [];
    if (!grant || !id || !expiresAt || !signature) throw new InvalidTemporaryLink();
    const isGenuine = timingSafeEqual(this.sign(grant), Buffer.from(signature, 'base64url'));
    if (!isGenuine || this.clock.nowSeconds() >= Number.parseInt(expiresAt, 36)) {
      throw new InvalidTemporaryLink();
    }
    return Number.parseInt(id, 36);
  }

  private sign(grant: string): Buffer {
    return createHmac('sha256', this.key).update(grant).digest();
  }
}
