import { shownName, urlName } from '../../../uploads/uploads.module';
import type { ConvertedArchive, FilePlace } from './converted-archive';
import { literal } from './markdown';

/** A file to share. */
export interface FileToShare {
  /** Identifies the file in the ledger. */
  readonly sourceId: string;
  /** Identifies the file in upload paths; consists of letters, digits and `-`. */
  readonly pathId: string;
  readonly title: string;
  readonly fileName: string;
  readonly ownerId: number;
  /** UNIX seconds. */
  readonly createdAt: number;
  readonly contentType: string | null;
  readonly place: FilePlace;
}

/** An upload of the converted archive. */
export interface SharedFile {
  /** Markdown that links it. */
  readonly link: string;
  /** IDs of the messages with the link. */
  readonly messages: Set<number>;
}

/** Uploads of the converted archive, each stored once. */
export class SharedFiles {
  private readonly files = new Map<string, SharedFile & { readonly row: object }>();

  constructor(private readonly builder: ConvertedArchive) {}

  /** Adds a file, unless it was shared before. */
  share(file: FileToShare): SharedFile {
    const known = this.files.get(file.pathId);
    if (known) return known;
    const fileName = shownName(file.fileName);
    const path = `0/${file.pathId}/${urlName(fileName)}`;
    const label = literal(file.title.replace(/\s+/g, ' ')).replaceAll('[', '&#91;').replaceAll(']', '&#93;');
    const row = {
      ...{ id: this.files.size + 1, source_id: file.sourceId, file_name: fileName, path_id: path },
      ...{ owner: file.ownerId, create_time: file.createdAt, content_type: file.contentType },
    };
    this.builder.upload(path, file.place);
    const shared = { row, messages: new Set<number>(), link: `[${label}](/user_uploads/${path})` };
    this.files.set(file.pathId, shared);
    return shared;
  }

  write(): void {
    for (const { row, messages } of this.files.values())
      this.builder.attachment({ ...row, messages: [...messages], scheduled_messages: [] });
  }
}
