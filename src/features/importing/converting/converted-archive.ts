import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFolder, type ArchivedFile } from '../../../platform/archives/archive-folder';
import type { Fate } from '../records/ledger';
import { type ArchiveFiles, ArchiveSource } from '../source/archive-source';
import { TableFile } from './table-file';
import { partsOf } from './text-parts';

/** Messages of one file, as archives of Zulip have them. */
const MESSAGES_IN_FILE = 1000;

/** The owner of this server, whoever that is: stands for the ID of a person in what is built. */
export const OWNER = 0;

/** Where a file is that goes with what is built. */
export interface FilePlace {
  readonly folder: ArchiveFolder;
  readonly path: string;
}

/** A message, with where it stands and when it was sent. */
export interface ConvertedMessage {
  /** What names it in the ledger. */
  readonly source_id: string;
  readonly sender: number;
  readonly recipient: number;
  /** Empty for direct messages. */
  readonly topic: string;
  readonly content: string;
  /** UNIX seconds, with fractions. */
  readonly date_sent: number;
  readonly last_edit_time: number | null;
}

/**
 * Makes an archive in Zulip's form of what another product has exported, so that everything behind it is the same for all.
 * Rows name what they came from by `source_id`. There are no rows that say who
 * received which message.
 */
export class ConvertedArchive implements ArchiveFiles {
  private readonly tables = new Map<string, TableFile>();
  private readonly messageFiles: string[] = [];
  private readonly files = new Map<string, FilePlace>();
  private readonly own: ArchiveFolder;
  private messages: object[] = [];
  private lastMessage = 0;

  /** @param folder empty, and removed by whoever made it */
  constructor(private readonly folder: string) {
    this.own = new ArchiveFolder(folder);
    for (const table of ['zerver_userprofile', 'zerver_stream', 'zerver_recipient', 'zerver_subscription'])
      this.table(table);
    this.open('attachment.json', 'zerver_attachment');
    this.open('notes.json', null);
    this.add('zerver_client', { id: 1, name: 'Import' });
  }

  /** Adds a row to a table of the main file. */
  add(table: string, row: object): void {
    this.table(table).add(row);
  }

  attachment(row: object): void {
    this.open('attachment.json', 'zerver_attachment').add(row);
  }

  /** Adds to the list of the files of a folder, such as `emoji`. */
  record(folder: string, row: { readonly path: string }, place: FilePlace): void {
    this.open(`${folder}/records.json`, null).add(row);
    this.files.set(`${folder}/${row.path}`, place);
  }

  /** The file of an upload. */
  upload(path: string, place: FilePlace): void {
    this.files.set(`uploads/${path}`, place);
  }

  /** Says what became of something that is not taken over as it was. */
  note(fate: Fate, what: string, id: string | null, reason: string): void {
    this.open('notes.json', null).add({ fate, what, id, reason });
  }

  /**
   * Adds a message behind all before it. Everybody who could see it has read it. A long one becomes several.
   * @returns the ID of the first
   */
  message({ topic, content: whole, ...message }: ConvertedMessage): number {
    const first = this.lastMessage + 1;
    for (const content of partsOf(whole)) {
      const id = ++this.lastMessage;
      this.messages.push({ id, sending_client: 1, edit_history: null, subject: topic, content, ...message });
      if (this.messages.length === MESSAGES_IN_FILE) this.writeMessages();
    }
    if (this.lastMessage > first)
      this.note(
        'changed',
        'message',
        message.source_id,
        'Its text is longer than a message may be, and became several.',
      );
    return first;
  }

  /** Makes everybody who comes new a subscriber of a channel. */
  defaultChannel(id: number): void {
    this.add('zerver_defaultstream', { id, stream: id });
  }

  /** The archive, once everything was added. @param close removes what it was made of */
  finish(digest: string, close: () => Promise<void>): ArchiveSource {
    this.writeMessages();
    const mainFiles = [...this.tables.keys()].filter((path) => path.startsWith('tables/'));
    for (const table of this.tables.values()) table.close();
    return ArchiveSource.converted({
      files: this,
      mainFiles,
      messageFiles: this.messageFiles,
      digest,
      close,
    });
  }

  async file(path: string): Promise<ArchivedFile | null> {
    const place = this.files.get(path);
    return place === undefined ? this.own.file(path) : place.folder.file(place.path);
  }

  private table(name: string): TableFile {
    return this.open(`tables/${name}.json`, name);
  }

  private open(path: string, table: string | null): TableFile {
    const known = this.tables.get(path);
    if (known) return known;
    const made = new TableFile(join(this.folder, path), table);
    this.tables.set(path, made);
    return made;
  }

  private writeMessages(): void {
    if (this.messages.length === 0) return;
    const name = `messages-${String(this.messageFiles.length + 1).padStart(6, '0')}.json`;
    const content = { zerver_message: this.messages, zerver_usermessage: [] };
    writeFileSync(join(this.folder, name), JSON.stringify(content), { mode: 0o600 });
    this.messageFiles.push(name);
    this.messages = [];
  }
}
