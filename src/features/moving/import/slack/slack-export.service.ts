import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { ArchiveRefused } from '../../../../platform/archives/unpacking';
import { type JsonRow, jsonRows } from '../../../../platform/archives/json-rows';
import { unpackZip } from '../../../../platform/archives/unpack-zip';
import { Config } from '../../../../platform/config/config';
import { CommandRefused, type OperatorContext } from '../../../../platform/operator/operator-commands';
import { AddressRules } from '../../../../platform/outbound/address-rules';
import { AccountRules } from '../../../users/users.module';
import { ConvertedArchive, type FilePlace } from '../converting/converted-archive';
import { Downloads } from '../converting/downloads';
import { FileIndex } from '../converting/file-index';
import { SortedSpool } from '../converting/sorted-spool';
import { type ArchiveSource, Scratch } from '../source/archive-source';
import type { ImportState } from '../import-state';
import { LISTS, type SlackConversation, SlackConversations } from './slack-conversations';
import { FILE_ID, isHostOfSlack, SlackEmoji, SlackFiles } from './slack-files';
import { refusalOf, SlackMessages, timeOf } from './slack-messages';
import { addressesOf, SlackPeople } from './slack-people';
import type { SlackNames } from './slack-text';

/** Limits of an export. */
const LIMITS = { entries: 1_000_000, bytes: 1024 ** 4 };

const MAX_LIST_BYTES = 64 * 1024 ** 2;

const PEOPLE = ['users.json', 'org_users.json'];

/** Files other than messages that are imported. */
const READ = new Set([...PEOPLE, ...LISTS.map(({ file }) => file as string), 'emoji.json']);

const DAY = /^\d{4}-\d{2}-\d{2}\.json$/;

/** Options of the command. Paths are absolute. */
export interface SlackOptions {
  /** Folder with files named by their IDs. */
  readonly files: string | null;
  /** CSV file with users and their email addresses. */
  readonly users: string | null;
  /** Folder with images of custom emoji. */
  readonly emoji: string | null;
  /** Whether to download files from Slack with the tokens in the export. */
  readonly token: boolean;
}

/** Converts an export of a Slack workspace to an archive in Zulip's format. */
@Injectable()
export class SlackExportService {
  constructor(
    private readonly config: Config,
    private readonly rules: AccountRules,
  ) {}

  /**
   * @param run dry runs, and runs after an earlier one has begun to write, download nothing
   * @throws CommandRefused, ArchiveRefused
   */
  async open(
    path: string,
    options: SlackOptions,
    run: { readonly isDryRun: boolean; readonly before: ImportState | null },
    context: OperatorContext,
  ): Promise<ArchiveSource> {
    const scratch = await Scratch.of(this.config.dataDir);
    try {
      const folder = await scratch.unpacked(path, unpackZip, LIMITS, context);
      const [inside, local, emoji] = [
        await FileIndex.of(await rootOf(folder)),
        await FileIndex.of(options.files),
        await FileIndex.of(options.emoji),
      ];
      const builder = new ConvertedArchive(await scratch.folder('converted'));
      const spool = new SortedSpool<Spooled>(await scratch.folder('sorting'));
      const list = options.users === null ? '' : await textOfFile(options.users);
      const isFetching = options.token && !run.isDryRun && run.before?.isFinished !== true;
      const downloads = isFetching ? (digest: string) => this.downloads(digest, run.before, context) : null;
      const conversion = new SlackConversion({ builder, inside, local, emoji, spool, context, downloads });
      const people = { rules: this.rules, emailDomain: this.config.emailDomain, list };
      const digest = await conversion.run(people, options.token);
      return builder.finish(digest, () => scratch.remove());
    } catch (error) {
      await scratch.remove();
      throw error;
    }
  }

  private downloads(
    digest: string,
    before: ImportState | null,
    context: OperatorContext,
  ): Promise<Downloads> {
    const addresses = new AddressRules([]);
    const rules = { addresses, isAllowedHost: isHostOfSlack, mayAsk: before === null };
    return Downloads.of(this.config.dataDir, digest, rules, context);
  }
}

interface Spooled {
  readonly folder: string;
  readonly message: JsonRow;
}

interface ConversionParts {
  readonly builder: ConvertedArchive;
  readonly inside: FileIndex;
  readonly local: FileIndex;
  readonly emoji: FileIndex;
  readonly spool: SortedSpool<Spooled>;
  readonly context: OperatorContext;
  /** Null unless files are to be downloaded. */
  readonly downloads: ((digest: string) => Promise<Downloads>) | null;
}

/** Conversion of one export. */
class SlackConversion {
  private readonly hash = createHash('sha256');

  constructor(private readonly parts: ConversionParts) {}

  /** @returns the digest of everything that affects the result, which identifies the import */
  async run(
    { rules, emailDomain, list }: { rules: AccountRules; emailDomain: string; list: string },
    isFetching: boolean,
  ): Promise<string> {
    const { builder, inside, local, emoji, spool, context } = this.parts;
    this.hash.update(JSON.stringify([list, isFetching, inside.paths, local.paths, emoji.paths]));
    const people = new SlackPeople({ builder, rules, emailDomain, addresses: addressesOf(list) });
    const own = new SlackEmoji(builder, emoji);
    const placed = new Map([...inside.byPart(FILE_ID), ...local.byPart(FILE_ID)]);
    const files = new SlackFiles(builder, placed);
    const conversations = new SlackConversations(builder, people);
    for (const name of PEOPLE) for await (const user of this.rows(name)) people.add(user);
    for (const { file, kind } of LISTS) for await (const row of this.rows(file)) conversations.add(row, kind);
    await this.takeEmoji(own);
    await this.collect(people, files, conversations);
    const names = namesFor(people, conversations, own);
    conversations.write(names);
    const digest = this.hash.digest('hex');
    const downloads = this.parts.downloads && (await this.parts.downloads(digest));
    let pictures: ReadonlyMap<string, FilePlace> = new Map();
    if (downloads) {
      files.found(
        await downloads.fetch(files.missing(), (id, reason) => builder.note('left out', 'file', id, reason)),
      );
      const wanted = [...people.pictures()].map(([id, url]) => ({ id, url, size: null, isPage: false }));
      pictures = await downloads.fetch(wanted, (id, reason) =>
        builder.note('left out', 'picture', id, reason),
      );
    }
    people.write(conversations.since(), pictures);
    people.writeProfiles(names, own);
    const messages = new SlackMessages({ builder, people, emoji: own, files, names });
    let done = 0;
    let [last, at]: [Set<string>, number | null] = [new Set(), null];
    for await (const { folder, message } of spool.read()) {
      context.signal.throwIfAborted();
      const conversation = conversations.byFolder(folder);
      const time = timeOf(message);
      if (time !== at) [last, at] = [new Set(), time];
      if (conversation && last.has(conversation.slackId))
        builder.note('left out', 'message', nameOf(conversation, message), 'Duplicate message.');
      else if (conversation) messages.add(message, conversation);
      if (conversation) last.add(conversation.slackId);
      if (++done % 1000 === 0) context.report({ done, total: spool.size, what: 'converting' });
    }
    files.write();
    return digest;
  }

  /** Reads custom emoji from a folder of images and a saved response of `emoji.list`. */
  private async takeEmoji(emoji: SlackEmoji): Promise<void> {
    const place = this.parts.emoji.byName('emoji.json') ?? this.parts.inside.byName('emoji.json');
    const file = place && (await place.folder.file(place.path));
    emoji.takePictures();
    if (!file) return;
    const bytes = await file.bytes(MAX_LIST_BYTES);
    this.hash.update(bytes);
    let list: unknown;
    try {
      list = JSON.parse(bytes.toString('utf8'));
    } catch {
      throw new ArchiveRefused(file.path, 'This is not JSON.');
    }
    const named = Object(list) as JsonRow;
    emoji.take(Object(named.emoji ?? named) as JsonRow);
  }

  /** First pass over all messages: sorts them, and collects senders and files. */
  private async collect(
    people: SlackPeople,
    files: SlackFiles,
    conversations: SlackConversations,
  ): Promise<void> {
    const { builder, inside, spool, context } = this.parts;
    const unknown = new Set<string>();
    for (const [at, path] of inside.paths.entries()) {
      const [folder = '', day = '', ...more] = path.split('/');
      if (day === '' && path.endsWith('.json') && !READ.has(path))
        builder.note('left out', 'file', path, 'The file contains no users, conversations or messages.');
      if (more.length > 0 || !day.endsWith('.json')) continue;
      context.signal.throwIfAborted();
      context.report({ done: at, total: inside.paths.length, what: 'reading messages' });
      const conversation = conversations.byFolder(folder);
      if (!DAY.test(day)) {
        builder.note('left out', 'file', path, 'Canvases and lists are not imported.');
        continue;
      }
      if (conversation === null) {
        if (!unknown.has(folder))
          builder.note(
            'left out',
            'folder',
            folder,
            'The export lists no channel or conversation with this name.',
          );
        unknown.add(folder);
        continue;
      }
      for await (const message of this.rows(path)) {
        const name = nameOf(conversation, message);
        const refusal = refusalOf(message);
        const time = timeOf(message);
        if (refusal !== null || time === null) {
          builder.note('left out', 'message', name, refusal ?? '');
          continue;
        }
        people.seen(people.senderOf(message), time / 1e6);
        files.collect(message);
        spool.add(time, { folder, message });
      }
    }
  }

  /** Reads the rows of a list; yields none if the list is missing. */
  private async *rows(path: string): AsyncGenerator<JsonRow> {
    const file = await this.parts.inside.folder.file(path);
    if (file === null) return;
    const { hash } = this;
    hash.update(path);
    async function* content() {
      for await (const chunk of file!.content()) {
        hash.update(chunk);
        yield chunk;
      }
    }
    for await (const { row } of jsonRows({ ...file, content })) if (row !== null) yield row;
  }
}

function nameOf({ slackId }: SlackConversation, message: JsonRow): string {
  return `${slackId}/${String(message.ts).slice(0, 40)}`;
}

function namesFor(people: SlackPeople, conversations: SlackConversations, emoji: SlackEmoji): SlackNames {
  return {
    person: (id) => {
      const person = people.find(id);
      return person && { mention: `@**${person.name}|${person.id}**`, name: person.name };
    },
    channel: (id) => conversations.nameOf(id),
    emoji: (name) => {
      const found = emoji.find(name);
      return found && `:${found.emoji_name}:`;
    },
  };
}

/** The folder with the lists: the given one, or its only subfolder. */
async function rootOf(folder: string): Promise<string> {
  for (const place of [folder, ...(await foldersIn(folder))]) {
    const names = await fs.readdir(place);
    if (names.includes('users.json') || names.includes('org_users.json')) return place;
  }
  throw new ArchiveRefused('users.json', 'The export lacks this file.');
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== '__MACOSX');
  return folders.length === 1 ? folders.map(({ name }) => `${folder}/${name}`) : [];
}

/** @throws CommandRefused */
async function textOfFile(path: string): Promise<string> {
  const stats = await fs.stat(path).catch(() => null);
  if (!stats?.isFile()) throw new CommandRefused(`${path} does not exist, or the server cannot read it.`);
  if (stats.size > MAX_LIST_BYTES) throw new CommandRefused(`${path} is too large for a list of people.`);
  return fs.readFile(path, 'utf8');
}
