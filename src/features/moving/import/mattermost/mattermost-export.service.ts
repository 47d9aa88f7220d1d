import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ArchivedFile } from '../../../../platform/archives/archive-folder';
import { ArchiveRefused } from '../../../../platform/archives/unpacking';
import { jsonLines, type JsonRow } from '../../../../platform/archives/json-rows';
import { unpackZip } from '../../../../platform/archives/unpack-zip';
import { Config } from '../../../../platform/config/config';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { AccountRules } from '../../../users/users.module';
import { ConvertedArchive, type FilePlace } from '../converting/converted-archive';
import { ConvertedEmoji } from '../converting/converted-people';
import { FileIndex } from '../converting/file-index';
import { numberOf, rowOf, rowsOf, textOf, textsOf } from '../converting/loose';
import { SortedSpool } from '../converting/sorted-spool';
import { type ArchiveSource, Scratch } from '../source/archive-source';
import { MattermostChannels } from './mattermost-channels';
import { keyOf, MattermostMessages, type MattermostPost, refusalOf, timeOf } from './mattermost-messages';
import { MattermostPeople } from './mattermost-people';

/** Limits of an export. */
const LIMITS = { entries: 1_000_000, bytes: 1024 ** 4 };

/** Folder of attachments and images. */
const DATA = 'data';

/** Maximum length of the text used to name a thread. */
const MAX_BEGINNING = 200;

/** Converts an export of a Mattermost server to an archive in Zulip's format. */
@Injectable()
export class MattermostExportService {
  constructor(
    private readonly config: Config,
    private readonly rules: AccountRules,
  ) {}

  /** @throws CommandRefused, ArchiveRefused */
  async open(path: string, context: OperatorContext): Promise<ArchiveSource> {
    const scratch = await Scratch.of(this.config.dataDir);
    try {
      const inside = await FileIndex.of(await scratch.unpacked(path, unpackZip, LIMITS, context));
      const builder = new ConvertedArchive(await scratch.folder('converted'));
      const spool = new SortedSpool<MattermostPost>(await scratch.folder('sorting'));
      const conversion = new MattermostConversion(
        { builder, inside, spool, context },
        this.rules,
        this.config.emailDomain,
      );
      const digest = await conversion.run();
      return builder.finish(digest, () => scratch.remove());
    } catch (error) {
      await scratch.remove();
      throw error;
    }
  }
}

interface ConversionParts {
  readonly builder: ConvertedArchive;
  readonly inside: FileIndex;
  readonly spool: SortedSpool<MattermostPost>;
  readonly context: OperatorContext;
}

/** Conversion of one export. */
class MattermostConversion {
  private readonly hash = createHash('sha256');
  private readonly people: MattermostPeople;
  private readonly channels: MattermostChannels;
  private readonly emoji: ConvertedEmoji;
  /** Folder of the export within the archive; ends with a slash unless empty. */
  private root = '';

  constructor(
    private readonly parts: ConversionParts,
    rules: AccountRules,
    emailDomain: string,
  ) {
    const { builder } = parts;
    this.people = new MattermostPeople({ builder, rules, emailDomain, image: (path) => this.file(path) });
    this.channels = new MattermostChannels(builder, this.people);
    this.emoji = new ConvertedEmoji(builder);
  }

  /** @returns the digest of everything that affects the result, which identifies the import */
  async run(): Promise<string> {
    const { builder, inside, spool, context } = this.parts;
    this.hash.update(JSON.stringify(inside.paths));
    await this.read(await this.lines());
    const { people, channels, emoji } = this;
    channels.write();
    const file = (path: string) => this.file(path);
    const messages = new MattermostMessages({ builder, people, channels, emoji, file });
    let done = 0;
    for await (const post of spool.read()) {
      context.signal.throwIfAborted();
      messages.add(post);
      if (++done % 1000 === 0) context.report({ done, total: spool.size, what: 'converting' });
    }
    messages.finish();
    people.write(emoji);
    return this.hash.digest('hex');
  }

  /** The file that contains the lines of the export. @throws ArchiveRefused */
  private async lines(): Promise<ArchivedFile> {
    const { paths, folder } = this.parts.inside;
    const found = paths.filter((path) => /^(?:[^/]+\/)?[^/]+\.jsonl$|^(?:[^/]+\/)?export\.json$/.test(path));
    const [path, another] = found;
    if (path === undefined) throw new ArchiveRefused('import.jsonl', 'The export lacks this file.');
    if (another !== undefined) throw new ArchiveRefused(another, 'The export has several files of lines.');
    this.root = path.slice(0, path.lastIndexOf('/') + 1);
    const file = await folder.file(path);
    if (file === null) throw new ArchiveRefused(path, 'The export lacks this file.');
    const { hash } = this;
    async function* content() {
      for await (const chunk of file!.content()) {
        hash.update(chunk);
        yield chunk;
      }
    }
    return { ...file, content };
  }

  /** Finds a file of the export by a path from one of its lines. */
  private file(path: string): FilePlace | null {
    const { inside } = this.parts;
    return inside.byPath(`${this.root}${DATA}/${path}`) ?? inside.byPath(`${this.root}${path}`);
  }

  /** First pass over all lines: processes everything except posts, which are sorted. */
  private async read(file: ArchivedFile): Promise<void> {
    const { builder, context } = this.parts;
    const unknown = new Set<string>();
    let count = 0;
    for await (const line of jsonLines(file)) {
      const type = textOf(line, 'type');
      if (count === 0 && (type !== 'version' || numberOf(line, 'version') !== 1))
        throw new ArchiveRefused(file.path, 'The first line is not version 1.');
      if (++count % 1000 === 0) {
        context.signal.throwIfAborted();
        context.report({ done: count, total: count, what: 'reading lines' });
      }
      const row = rowOf(line, type);
      if (row !== null) this.take(type, row, unknown);
    }
    if (count === 0) throw new ArchiveRefused(file.path, 'The file is empty.');
    for (const type of unknown)
      builder.note('left out', 'line', type.slice(0, 100), 'Lines of this type are not imported.');
  }

  private take(type: string, row: JsonRow, unknown: Set<string>): void {
    switch (type) {
      case 'emoji':
        return this.takeEmoji(row);
      case 'team':
        return this.channels.addTeam(row);
      case 'channel':
        return this.channels.addChannel(row);
      case 'user': {
        const person = this.people.addUser(row, this.channels.hasOneTeam);
        if (person !== null) this.channels.addMemberships(person, row);
        return;
      }
      case 'bot':
        return this.people.addBot(row);
      case 'post':
        return this.takePost(row, { team: textOf(row, 'team'), channel: textOf(row, 'channel') });
      case 'direct_post':
        return this.takePost(row, { members: textsOf(row, 'channel_members') });
      // Conversations without posts are not needed.
      case 'direct_channel':
      case 'version':
        return;
    }
    if (unknown.size < 100) unknown.add(type);
  }

  private takeEmoji(row: JsonRow): void {
    const [name, place] = [textOf(row, 'name'), this.file(textOf(row, 'image'))];
    if (name === '' || this.emoji.has(name) || place === null)
      this.parts.builder.note(
        'left out',
        'emoji',
        name || null,
        'Missing or duplicate name, or image file missing.',
      );
    else this.emoji.add(name, place);
  }

  private takePost(row: JsonRow, place: MattermostPost['place']): void {
    const name = 'members' in place ? 'direct' : `${place.team}/${place.channel}`;
    if (!('members' in place) && this.channels.find(place.team, place.channel) === null) {
      this.parts.builder.note('left out', 'message', name, 'The export does not list the channel.');
      return;
    }
    const { replies: _, ...post } = row;
    const replies = rowsOf(row, 'replies');
    const first = timeOf(row) ?? replies.map(timeOf).find((time) => time !== null) ?? 0;
    const thread =
      replies.length === 0
        ? null
        : {
            key: keyOf(name, row),
            at: first / 1000,
            beginning: textOf(row, 'message').slice(0, MAX_BEGINNING),
          };
    this.collect(post, name, { place, thread: thread && { ...thread, isFirst: true } });
    for (const reply of replies)
      this.collect(reply, name, { place, thread: thread && { ...thread, isFirst: false } });
  }

  private collect(row: JsonRow, name: string, where: Omit<MattermostPost, 'row'>): void {
    const refusal = refusalOf(row);
    const time = timeOf(row);
    if (refusal !== null || time === null) {
      this.parts.builder.note('left out', 'message', `${name}/${time ?? ''}`, refusal ?? '');
      return;
    }
    this.people.seen(this.people.senderOf(row), time / 1000);
    if ('members' in where.place) for (const member of where.place.members) this.people.required(member);
    this.parts.spool.add(time, { row, ...where });
  }
}
