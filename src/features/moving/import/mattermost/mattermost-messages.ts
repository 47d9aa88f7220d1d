import { createHash } from 'node:crypto';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import { topicReference } from '../../../messages/messages.module';
import { attachmentText, joined, literal } from '../converting/markdown';
import type { ConvertedArchive, FilePlace } from '../converting/converted-archive';
import type { ConvertedEmoji } from '../converting/converted-people';
import { numberOf, rowOf, rowsOf, textOf, textsOf } from '../converting/loose';
import { type SharedFile, SharedFiles } from '../converting/downloads';
import { ThreadTopics } from '../converting/thread-topics';
import type { MattermostChannels, MattermostPlace } from './mattermost-channels';
import type { MattermostPeople } from './mattermost-people';
import { fromMattermost, type MattermostNames } from './mattermost-text';

/** Topic of messages outside threads. */
const MAIN_TOPIC = 'imported from Mattermost';

/** Types of posts with content. */
const CONTENT = new Set(['', 'me', 'slack_attachment']);

/** A thread, identified by its first post. */
export interface MattermostThread {
  readonly key: string;
  /** UNIX seconds. */
  readonly at: number;
  readonly beginning: string;
  readonly isFirst: boolean;
}

/** A post or reply, ready for sorting. */
export interface MattermostPost {
  readonly row: JsonRow;
  /** Team and handle of the channel, or all members of the conversation. */
  readonly place:
    { readonly team: string; readonly channel: string } | { readonly members: readonly string[] };
  readonly thread: MattermostThread | null;
}

/** Collaborators of {@link MattermostMessages}. */
export interface MattermostTools {
  readonly builder: ConvertedArchive;
  readonly people: MattermostPeople;
  readonly channels: MattermostChannels;
  readonly emoji: ConvertedEmoji;
  /** Finds a file of the export. */
  readonly file: (path: string) => FilePlace | null;
}

/** Time of a post in milliseconds; null if invalid. */
export function timeOf(post: JsonRow): number | null {
  const time = numberOf(post, 'create_at');
  return time !== null && time > 0 && time < 1e14 ? Math.floor(time) : null;
}

/** The reason why a post is not imported; null if it is imported. */
export function refusalOf(post: JsonRow): string | null {
  if (timeOf(post) === null) return 'Missing or invalid timestamp.';
  const type = textOf(post, 'type');
  return type.startsWith('system_') ? `System messages are not imported ("${type}").` : null;
}

/** Identifies a post by its content, because exports have no IDs. */
export function keyOf(place: string, post: JsonRow): string {
  const parts = [
    place,
    timeOf(post),
    textOf(post, 'user').toLowerCase(),
    textOf(post, 'message'),
    post.props ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** Converts posts in chronological order. */
export class MattermostMessages {
  private readonly topics = new ThreadTopics();
  private readonly files: SharedFiles;
  private readonly followed = new Set<string>();
  /** Keys of the posts of the same millisecond. */
  private keys = new Set<string>();
  private time = 0;
  private rows = 0;

  constructor(private readonly tools: MattermostTools) {
    this.files = new SharedFiles(tools.builder);
  }

  /** @param number position in the export, which names the post in the ledger */
  add({ row, place: { ...where }, thread }: MattermostPost): void {
    const { builder, people, channels } = this.tools;
    const sender = people.senderOf(row);
    const place =
      'members' in where
        ? channels.among([sender, ...where.members.map((name) => people.required(name))])
        : channels.find(where.team, where.channel);
    if (place === null) return;
    const at = timeOf(row) ?? 0;
    const name = `${place.name}/${at}`;
    if (this.isDuplicate(at, `${thread?.key ?? ''} ${keyOf(place.name, row)}`)) {
      builder.note('left out', 'message', name, 'Duplicate message.');
      return;
    }
    const { lines, shared } = this.filesOf(row, sender.id, at);
    const content = joined([this.textOf(row, place, name), ...lines]);
    if (content === '') {
      builder.note('left out', 'message', name, 'The message has no text and no files.');
      return;
    }
    const editedAt = numberOf(row, 'edit_at') ?? 0;
    const message = {
      ...{ source_id: name, sender: sender.id, recipient: place.recipientId, date_sent: at / 1000 },
      last_edit_time: editedAt > 0 && editedAt < 1e14 ? editedAt / 1000 : null,
      starred: textsOf(row, 'flagged_by').flatMap((user) => people.find(user)?.id ?? []),
    };
    const topic = this.topicOf(place, thread);
    const first = builder.message({ ...message, topic, content });
    for (const { messages } of shared) messages.add(first);
    if (place.channel !== null && thread?.isFirst === true) {
      const reference = topicReference({ channelName: place.channel.name, topic });
      const copy = { source_id: `${name}/copy`, topic: MAIN_TOPIC, starred: [] };
      const id = builder.message({ ...message, ...copy, content: `${content}\n\n*Thread:* ${reference}` });
      for (const { messages } of shared) messages.add(id);
      this.follow(place.channel.id, place.recipientId, topic, row);
    }
    this.react(row, first, name);
    if (row.is_pinned === true) builder.note('left out', 'pin', name, 'Pinned messages are not supported.');
  }

  /** Writes data shared by all messages. */
  finish(): void {
    this.files.write();
  }

  private isDuplicate(at: number, key: string): boolean {
    if (at !== this.time) [this.time, this.keys] = [at, new Set()];
    if (this.keys.has(key)) return true;
    this.keys.add(key);
    return false;
  }

  private topicOf({ channel }: MattermostPlace, thread: MattermostThread | null): string {
    if (channel === null) return '';
    if (thread === null) return MAIN_TOPIC;
    return this.topics.of(channel.id, thread.key, thread.at, () => thread.beginning);
  }

  private textOf(row: JsonRow, place: MattermostPlace, name: string): string {
    const names = this.names(place);
    const type = textOf(row, 'type');
    if (!CONTENT.has(type))
      this.tools.builder.note(
        'changed',
        'message',
        name,
        `Unknown message type ("${type}"); imported as a normal message.`,
      );
    const convert = (text: string) => fromMattermost(text, names);
    const attachments = rowsOf(rowOf(row, 'props'), 'attachments').slice(0, 100);
    const text = joined([
      convert(textOf(row, 'message')).trim(),
      ...attachments.map((part) => attachmentText(part, convert)),
    ]);
    return type === 'me' && text !== '' ? `/me ${text}` : text;
  }

  private names({ channel }: MattermostPlace): MattermostNames {
    const { people, channels, emoji } = this.tools;
    return {
      mention: (username) => {
        const person = people.find(username);
        return person && `@**${person.name}|${person.id}**`;
      },
      channel: (handle) => (channel && channels.find(channel.team, handle)?.channel?.name) ?? null,
      emoji: (name) => {
        const found = emoji.find(name);
        return found && `:${found.emoji_name}:`;
      },
    };
  }

  private filesOf(row: JsonRow, ownerId: number, at: number): { lines: string[]; shared: SharedFile[] } {
    const shared: SharedFile[] = [];
    const lines = rowsOf(row, 'attachments').map((attachment) => {
      const path = textOf(attachment, 'path');
      const title = path.slice(path.lastIndexOf('/') + 1) || 'file';
      const place = this.tools.file(path);
      if (place === null) {
        this.tools.builder.note('left out', 'file', path.slice(0, 200) || null, 'File missing.');
        return `*${literal(`${title}: this file was not imported.`)}*`;
      }
      const file = this.files.share({
        ...{ sourceId: path, pathId: createHash('sha256').update(path).digest('hex').slice(0, 24) },
        ...{ title, fileName: title, ownerId, createdAt: at / 1000, contentType: null, place },
      });
      shared.push(file);
      return file.link;
    });
    return { lines, shared };
  }

  private follow(channelId: number, recipientId: number, topic: string, row: JsonRow): void {
    const { builder, people } = this.tools;
    for (const follower of rowsOf(row, 'thread_followers')) {
      const person = people.find(textOf(follower, 'user'));
      const key = `${person?.id} ${channelId} ${topic}`;
      if (person === null || this.followed.has(key)) continue;
      this.followed.add(key);
      builder.followTopic(person.id, { channelId, recipientId, topic, at: (timeOf(row) ?? 0) / 1000 });
    }
  }

  private react(row: JsonRow, message: number, name: string): void {
    const { builder, people, emoji } = this.tools;
    const seen = new Set<string>();
    for (const reaction of rowsOf(row, 'reactions')) {
      const given = textOf(reaction, 'emoji_name');
      const found = emoji.find(given);
      const person = people.find(textOf(reaction, 'user'));
      if (found === null) builder.note('left out', 'reaction', name, `Unknown emoji ("${given}").`);
      else if (person === null) builder.note('left out', 'reaction', name, 'The user is not in the export.');
      if (found === null || person === null) continue;
      const key = `${person.id} ${found.reaction_type} ${found.emoji_code}`;
      if (seen.has(key)) continue;
      seen.add(key);
      builder.add('zerver_reaction', {
        ...{ id: ++this.rows, source_id: name, user_profile: person.id, message, ...found },
      });
    }
  }
}
