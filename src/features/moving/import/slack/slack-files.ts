import type { JsonRow } from '../../../../platform/archives/json-rows';
import type { ConvertedArchive, FilePlace } from '../converting/converted-archive';
import { ConvertedEmoji } from '../converting/converted-people';
import { type SharedFile, SharedFiles, type WantedFile } from '../converting/downloads';
import type { FileIndex } from '../converting/file-index';
import { numberOf, rowsOf, textOf } from '../converting/loose';
import { codeBlock, link, literal } from '../converting/markdown';

/** Matches names of files and folders that begin with a file ID. */
export const FILE_ID = /^(F[A-Z0-9]{1,30})(?:[-_.]|$)/;

/** Modes of deleted files. */
const GONE = new Set(['tombstone', 'hidden_by_limit']);
const UNREACHABLE = new Set(['access_denied', 'file_not_found']);

/** Modes of files hosted elsewhere. */
const EXPORTED_ELSEWHERE = new Set(['external', 'quip']);

/** Slack's hosts for files and profile pictures. */
const HOSTS = /(?:^|\.)(?:slack\.com|slack-edge\.com|slack-files\.com)$/;

/** The files of one message. */
interface FilesOfMessage {
  readonly lines: readonly string[];
  /** Links the files to the message that contains the lines. */
  stand(messageId: number): void;
}

/** Whether a URL points to one of Slack's hosts. */
export function isHostOfSlack(url: URL): boolean {
  return url.protocol === 'https:' && url.port === '' && HOSTS.test(url.hostname);
}

/** Converts shared files to uploads. */
export class SlackFiles {
  private readonly wanted = new Map<string, WantedFile>();
  private readonly shared: SharedFiles;
  private readonly noted = new Set<string>();

  /** @param local available files by ID */
  constructor(
    private readonly builder: ConvertedArchive,
    private readonly local: Map<string, FilePlace>,
  ) {
    this.shared = new SharedFiles(builder);
  }

  /** Collects the files of a message that need a download. */
  collect(message: JsonRow): void {
    for (const file of rowsOf(message, 'files')) {
      const id = idOf(file);
      const url = textOf(file, 'url_private_download') || textOf(file, 'url_private');
      if (id === null || url === '' || this.local.has(id) || isGone(file) || isElsewhere(file)) continue;
      const isPage = /html/.test(textOf(file, 'mimetype') + textOf(file, 'filetype'));
      this.wanted.set(id, { id, url, size: numberOf(file, 'size'), isPage });
    }
  }

  /** Files to download. */
  missing(): WantedFile[] {
    return [...this.wanted.values()];
  }

  found(files: ReadonlyMap<string, FilePlace>): void {
    for (const [id, place] of files) this.local.set(id, place);
  }

  /** Converts the files of a message to lines of Markdown. */
  of(message: JsonRow, ownerId: number): FilesOfMessage {
    const files = rowsOf(message, 'files');
    const known = Array.isArray(message.files) ? message.files.length : 0;
    if (known > files.length)
      this.note('left out', null, 'The export has no data for a file of this message.');
    const shared: SharedFile[] = [];
    return {
      lines: files.map((file) => this.line(file, ownerId, shared)),
      stand: (id) => shared.forEach(({ messages }) => messages.add(id)),
    };
  }

  write(): void {
    this.shared.write();
  }

  private line(file: JsonRow, ownerId: number, shared: SharedFile[]): string {
    const id = idOf(file);
    const title = textOf(file, 'title') || textOf(file, 'name') || 'file';
    if (id === null || isGone(file)) {
      this.note('left out', id, 'The file was deleted from Slack.');
      return `*${literal(`${title}: this file was deleted.`)}*`;
    }
    if (isElsewhere(file)) return link(title, textOf(file, 'url_private') || textOf(file, 'permalink'));
    const place = this.local.get(id);
    if (place !== undefined) {
      const attachment = this.shared.share({
        ...{ sourceId: id, pathId: id, title, fileName: textOf(file, 'name') || title, ownerId, place },
        createdAt: Math.max(numberOf(file, 'created') ?? numberOf(file, 'timestamp') ?? 0, 0),
        contentType: textOf(file, 'mimetype') || null,
      });
      shared.push(attachment);
      return attachment.link;
    }
    this.note('left out', id, 'File missing.');
    const preview = textOf(file, 'mode') === 'snippet' ? textOf(file, 'preview') : '';
    const name = `*${literal(`${title}: this file was not imported.`)}*`;
    return preview === '' ? name : `${name}\n${codeBlock(preview)}`;
  }

  /** Notes each file once, however often it was shared. */
  private note(fate: 'left out', id: string | null, reason: string): void {
    if (id !== null && this.noted.has(id)) return;
    if (id !== null) this.noted.add(id);
    this.builder.note(fate, 'file', id, reason);
  }
}

function idOf(file: JsonRow): string | null {
  const id = textOf(file, 'id');
  return FILE_ID.exec(id)?.[1] === id ? id : null;
}

function isGone(file: JsonRow): boolean {
  return GONE.has(textOf(file, 'mode')) || UNREACHABLE.has(textOf(file, 'file_access'));
}

function isElsewhere(file: JsonRow): boolean {
  return file.is_external === true || EXPORTED_ELSEWHERE.has(textOf(file, 'mode'));
}

/** Image file extensions, in order of preference. */
const ENDINGS = ['png', 'gif', 'jpg', 'jpeg', 'webp'];

/** Custom emoji of a workspace, from a folder of images and a list of aliases. */
export class SlackEmoji extends ConvertedEmoji {
  constructor(
    private readonly notes: ConvertedArchive,
    private readonly pictures: FileIndex,
  ) {
    super(notes);
  }

  /**
   * Adds custom emoji and aliases.
   * @param list maps names to URLs, or to `alias:` and another name
   */
  take(list: JsonRow): void {
    const aliases: string[] = [];
    for (const [name, value] of Object.entries(list)) {
      if (typeof value !== 'string') continue;
      if (value.startsWith('alias:')) {
        this.addAlias(name, value.slice('alias:'.length));
        aliases.push(name);
      } else if (!this.takePicture(name)) this.notes.note('left out', 'emoji', name, 'Image file missing.');
    }
    for (const name of aliases) {
      if (this.find(name) === null)
        this.notes.note('left out', 'emoji', name, 'The alias points to a missing emoji.');
    }
  }

  /** Adds every image of the folder as an emoji named after its file. */
  takePictures(): void {
    for (const path of this.pictures.paths) {
      const [, name, ending] = /([^/]+)\.([a-z]+)$/.exec(path) ?? [];
      if (name !== undefined && ENDINGS.includes(ending ?? '')) this.takePicture(name);
    }
  }

  private takePicture(name: string): boolean {
    if (this.has(name)) return true;
    const place = ENDINGS.map((ending) => this.pictures.byName(`${name}.${ending}`)).find((each) => each);
    if (!place) return false;
    this.add(name, place);
    return true;
  }
}
