import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ArchivedFile, ArchiveFolder } from '../../../../platform/archives/archive-folder';
import { MAX_CONTENT_LENGTH } from '../../../messages/messages.module';
import type { ImportOutcome } from '../records/ledger';
import { type ArchiveFiles, ArchiveSource } from '../source/archive-source';

/** Buffer size in characters. */
const BATCH = 1024 * 1024;

/** Writes a JSON file of one table row by row. */
class TableFile {
  private readonly file: number;
  private text: string;
  private isFirst = true;

  /** @param table null for a file that is a bare list */
  constructor(
    path: string,
    private readonly table: string | null,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.file = openSync(path, 'w', 0o600);
    this.text = table === null ? '[' : `{${JSON.stringify(table)}:[`;
  }

  add(row: object): void {
    this.text += `${this.isFirst ? '' : ','}\n${JSON.stringify(row)}`;
    this.isFirst = false;
    if (this.text.length > BATCH) this.flush();
  }

  close(): void {
    this.text += this.table === null ? ']' : ']}';
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
    this.text = '';
  }
}

/** Leaves room for upload paths and user IDs, which grow when they are rewritten. */
const LONGEST = MAX_CONTENT_LENGTH - 1000;

/** Preferred places to cut, best first. */
const ENDS = ['\n\n', '\n', ' '];

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*$/gm;

/** Splits a text into parts that fit into a message, between paragraphs, lines or words. Reopens a split code block. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > LONGEST) {
    const cut = cutWithin(rest);
    const part = rest.slice(0, cut).trimEnd();
    const fence = openFence(part);
    parts.push(fence === null ? part : `${part}\n${fence.mark}`);
    rest = (fence === null ? '' : `${fence.line}\n`) + rest.slice(cut).replace(/^\n+/, '');
  }
  return [...parts, rest];
}

function cutWithin(text: string): number {
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, LONGEST - end.length);
    if (at > LONGEST / 2) return at + end.length;
  }
  // Never within a surrogate pair.
  return /[\ud800-\udbff]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
}

/** The opening fence of an unclosed code block at the end of a text; null if none. */
function openFence(text: string): { readonly line: string; readonly mark: string } | null {
  let open: { readonly line: string; readonly mark: string } | null = null;
  for (const [line, mark = ''] of text.matchAll(FENCE)) {
    if (open === null) open = { line: line.slice(0, 100), mark };
    else if (mark.startsWith(open.mark) && line.trim() === mark) open = null;
  }
  return open;
}

/** Messages per file, as in archives of Zulip. */
const MESSAGES_IN_FILE = 1000;

/** Stands for the owner of this server wherever the archive needs a user ID. */
export const OWNER = 0;

/** Maximum length of a name or reason in the ledger; exports may contain names of any length. */
const MAX_NOTE = 300;

const FOLLOWED = 3;

/** Bits of `flags_mask`: read and starred. */
const STARRED = 3;

/** Location of a file that belongs to the archive. */
export interface FilePlace {
  readonly folder: ArchiveFolder;
  readonly path: string;
}

/** A converted message. */
interface ConvertedMessage {
  /** Names the message in the ledger. */
  readonly source_id: string;
  readonly sender: number;
  readonly recipient: number;
  /** Empty for direct messages. */
  readonly topic: string;
  readonly content: string;
  /** UNIX seconds, with fractions. */
  readonly date_sent: number;
  readonly last_edit_time: number | null;
  /** IDs of users who starred the message. */
  readonly starred?: readonly number[];
}

/**
 * Builds an archive in Zulip's format from another product's export, so that all imports share the same steps. The
 * `source_id` of a row names its origin. The archive has no rows for the recipients of messages, except for stars.
 */
export class ConvertedArchive implements ArchiveFiles {
  private readonly tables = new Map<string, TableFile>();
  private readonly messageFiles: string[] = [];
  private readonly files = new Map<string, FilePlace>();
  private readonly own: ArchiveFolder;
  private messages: object[] = [];
  private followed = 0;
  private flags: object[] = [];
  private lastMessage = 0;

  /** @param folder empty; the caller removes it */
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

  /** Adds a file to the records of a folder such as `emoji`. */
  record(folder: string, row: { readonly path: string }, place: FilePlace): void {
    this.open(`${folder}/records.json`, null).add(row);
    this.files.set(`${folder}/${row.path}`, place);
  }

  /** Adds the file of an upload. */
  upload(path: string, place: FilePlace): void {
    this.files.set(`uploads/${path}`, place);
  }

  /** Adds an entry to the ledger. */
  note(fate: ImportOutcome, what: string, id: string | null, reason: string): void {
    this.open('notes.json', null).add({
      fate,
      what,
      id: id?.slice(0, MAX_NOTE) ?? null,
      reason: reason.slice(0, MAX_NOTE),
    });
  }

  /**
   * Appends a message, which counts as read. Splits a long one into several.
   * @returns the ID of the first part
   */
  message({ topic, content: whole, starred = [], ...message }: ConvertedMessage): number {
    const first = this.lastMessage + 1;
    for (const user of starred) this.flags.push({ user_profile: user, message: first, flags_mask: STARRED });
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
        'Text too long for one message; split into several.',
      );
    return first;
  }

  /** Makes a user follow a topic. */
  followTopic(
    user: number,
    {
      channelId,
      recipientId,
      topic,
      at,
    }: {
      readonly channelId: number;
      readonly recipientId: number;
      readonly topic: string;
      /** UNIX seconds. */
      readonly at: number;
    },
  ): void {
    this.add('zerver_usertopic', {
      ...{ id: ++this.followed, user_profile: user, stream: channelId, recipient: recipientId },
      ...{ topic_name: topic, last_updated: at, visibility_policy: FOLLOWED },
    });
  }

  /** Subscribes new users to a channel by default. */
  defaultChannel(id: number): void {
    this.add('zerver_defaultstream', { id, stream: id });
  }

  /** Completes the archive. @param close removes its files */
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
    const content = { zerver_message: this.messages, zerver_usermessage: this.flags };
    writeFileSync(join(this.folder, name), JSON.stringify(content), { mode: 0o600 });
    this.messageFiles.push(name);
    [this.messages, this.flags] = [[], []];
  }
}
