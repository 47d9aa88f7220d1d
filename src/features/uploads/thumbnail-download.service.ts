import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { FileStore } from '../../platform/files/file-store';
import type { FileAnswer } from '../../platform/http/files/file-answer';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import { AttachmentAccess } from './attachment.access';
import type { AttachmentPicture } from './attachment.entity';
import { AttachmentPicturesService } from './attachment-pictures.service';
import { type ThumbnailKind, thumbnailNames, thumbnailPath } from './thumbnail-files';
import { ThumbnailsService } from './thumbnails.service';
import { keyOf } from './upload-path';
import { NoSuchUpload } from './uploads.api';

/** Size, whether it moves, and format. */
const FORMAT = /^(\d{1,5})x(\d{1,5})(-anim)?\.[a-z]{1,8}$/;

/** Serves thumbnails to users who may read the file. */
@Injectable()
export class ThumbnailDownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: AttachmentAccess,
    private readonly pictures: AttachmentPicturesService,
    private readonly thumbnails: ThumbnailsService,
    private readonly files: FileStore,
  ) {}

  /**
   * The version of this name; where there is none, the one that is most like it. If they are still to be made, that is
   * done first.
   * @param reader null for a person without an account
   * @param path what stands between `/user_uploads/thumbnail/` and the name
   * @throws NoSuchUpload, UploadOutOfReach, ServerBusy
   */
  async find(reader: Reader | null, path: string, name: string): Promise<FileAnswer> {
    const attachment = await this.access.forReading(this.database.read, reader, path);
    if (!FORMAT.test(name)) throw new NoSuchUpload();
    let picture = await this.pictureOf(attachment.id);
    if (picture?.thumbnails === 'waiting') {
      await this.thumbnails.make(attachment.id);
      picture = await this.pictureOf(attachment.id);
    }
    const kind = picture && nearest(thumbnailNames(picture), name);
    const stored = kind && thumbnailPath(attachment.path, kind);
    const size = stored && (await this.files.sizeOf(stored));
    if (!kind || !stored || !size) throw new NoSuchUpload();
    return {
      fileName: `${attachment.fileName}.webp`,
      contentType: 'image/webp',
      size,
      version: `${keyOf(attachment.path)}-${kind}`,
      open: async (range) => {
        const file = await this.files.open(stored, range);
        if (!file) throw new NoSuchUpload();
        return file.content;
      },
    };
  }

  /** Whether the smaller versions of a picture are there. @throws NoSuchUpload, UploadOutOfReach */
  async isMade(reader: Reader, path: string): Promise<boolean> {
    const { id } = await this.access.forReading(this.database.read, reader, path);
    return (await this.pictureOf(id))?.thumbnails === 'made';
  }

  private async pictureOf(attachmentId: number): Promise<AttachmentPicture | undefined> {
    return (await this.pictures.of(this.database.read, [attachmentId])).get(attachmentId);
  }
}

/** The version of this name, or else one that moves where the name says so, or else the one of the nearest width. */
function nearest(names: ReadonlyMap<string, ThumbnailKind>, wanted: string): ThumbnailKind | undefined {
  const [width, moves] = partsOf(wanted);
  const distance = (name: string) => {
    const [ownWidth, ownMoves] = partsOf(name);
    return (ownMoves === moves ? 0 : 100_000) + Math.abs(ownWidth - width);
  };
  const [best] = [...names.keys()].sort((one, other) => distance(one) - distance(other));
  return names.get(wanted) ?? names.get(best ?? '');
}

function partsOf(name: string): [width: number, moves: boolean] {
  const [, width = '0', , anim] = FORMAT.exec(name) ?? [];
  return [Number(width), anim !== undefined];
}
