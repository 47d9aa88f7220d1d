import type { JsonRow } from '../../../../platform/archives/json-rows';
import { channelNameKey } from '../../../channels/channels.module';
import type { ConvertedArchive } from '../converting/converted-archive';
import { numberOf, rowOf, rowsOf, textOf, textsOf } from '../converting/loose';
import { usableChannelName } from '../records/usable-names';
import type { SlackPeople } from './slack-people';
import { plainMrkdwn, type SlackNames } from './slack-text';

/** A channel or a direct message conversation. */
export interface SlackConversation {
  /** Recipient ID in the converted archive. */
  readonly recipientId: number;
  readonly slackId: string;
  /** Name of its message folder. */
  readonly folder: string;
  /** Null for direct messages. */
  readonly channel: { readonly id: number; readonly name: string } | null;
}

/** Conversation lists of an export. */
export const LISTS = [
  { file: 'channels.json', kind: 'public' },
  { file: 'groups.json', kind: 'private' },
  { file: 'mpims.json', kind: 'direct' },
  { file: 'dms.json', kind: 'direct' },
] as const;

/** Channels and conversations of a workspace. */
export class SlackConversations {
  private readonly bySlackId = new Map<string, SlackConversation>();
  private readonly folders = new Map<string, SlackConversation>();
  private readonly names = new Set<string>();
  private readonly rows: {
    readonly conversation: SlackConversation;
    readonly raw: JsonRow;
    readonly isPrivate: boolean;
  }[] = [];
  private readonly conversations: { readonly conversation: SlackConversation; readonly raw: JsonRow }[] = [];
  private channels = 0;

  constructor(
    private readonly builder: ConvertedArchive,
    private readonly people: SlackPeople,
  ) {}

  /** Adds a row of a list. */
  add(raw: JsonRow, kind: (typeof LISTS)[number]['kind']): void {
    const slackId = textOf(raw, 'id');
    const given = textOf(raw, 'name');
    const isDirect = kind === 'direct';
    if (slackId === '' || this.bySlackId.has(slackId) || (!isDirect && given === '')) {
      this.builder.note(
        'left out',
        isDirect ? 'conversation' : 'channel',
        slackId || null,
        'Missing or duplicate ID, or missing name.',
      );
      return;
    }
    const conversation = {
      ...{ recipientId: this.bySlackId.size + 1, slackId, folder: given || slackId },
      channel: isDirect ? null : this.channel(slackId, given),
    };
    this.bySlackId.set(slackId, conversation);
    this.folders.set(conversation.folder, conversation);
    if (isDirect) this.conversations.push({ conversation, raw });
    else this.rows.push({ conversation, raw, isPrivate: kind === 'private' });
  }

  /** The conversation of a message folder. */
  byFolder(folder: string): SlackConversation | null {
    return this.folders.get(folder) ?? this.bySlackId.get(folder) ?? null;
  }

  nameOf(slackId: string): string | null {
    return this.bySlackId.get(slackId)?.channel?.name ?? null;
  }

  /** Creation time of the oldest channel in UNIX seconds; zero if unknown. */
  since(): number {
    const times = this.rows.map(({ raw }) => numberOf(raw, 'created') ?? 0).filter((time) => time > 0);
    return times.reduce((first, time) => Math.min(first, time), times[0] ?? 0);
  }

  /** Writes all conversations with their members. */
  write(names: SlackNames): void {
    const everybody = this.people.activeMembers();
    for (const { conversation, raw, isPrivate } of this.rows)
      this.writeChannel(conversation, raw, { isPrivate, names, everybody });
    for (const { conversation, raw } of this.conversations) {
      const { recipientId } = conversation;
      this.builder.add('zerver_recipient', { id: recipientId, type: 3, type_id: recipientId });
      for (const member of new Set(textsOf(raw, 'members')))
        this.subscribe(this.people.required(member).id, recipientId);
    }
  }

  private channel(slackId: string, given: string): { id: number; name: string } {
    const id = ++this.channels;
    const name = usableChannelName(given, id, (key) => this.names.has(key));
    this.names.add(channelNameKey(name));
    if (name !== given)
      this.builder.note('changed', 'channel', slackId, 'Name adjusted to the naming rules.');
    return { id, name };
  }

  private writeChannel(
    { channel, recipientId, slackId }: SlackConversation,
    raw: JsonRow,
    {
      isPrivate,
      names,
      everybody,
    }: { readonly isPrivate: boolean; readonly names: SlackNames; readonly everybody: ReadonlySet<number> },
  ): void {
    if (channel === null) return;
    const members = [...new Set(textsOf(raw, 'members'))].map((member) => this.people.required(member).id);
    const [purpose, topic] = ['purpose', 'topic'].map((field) =>
      plainMrkdwn(textOf(rowOf(raw, field), 'value'), names).trim(),
    );
    this.builder.add('zerver_stream', {
      ...{ id: channel.id, source_id: slackId, name: channel.name, invite_only: isPrivate },
      description: [purpose, topic].filter((text, at, all) => text && all.indexOf(text) === at).join(' · '),
      date_created: Math.max(numberOf(raw, 'created') ?? 0, 0),
      creator: this.people.find(textOf(raw, 'creator'))?.id ?? null,
      deactivated: raw.is_archived === true,
      history_public_to_subscribers: !isPrivate,
    });
    this.builder.add('zerver_recipient', { id: recipientId, type: 2, type_id: channel.id });
    for (const member of members) this.subscribe(member, recipientId);
    const here = new Set(members);
    const isOfAll = everybody.size > 1 && [...everybody].every((id) => here.has(id));
    if (!isPrivate && raw.is_archived !== true && (raw.is_general === true || isOfAll))
      this.builder.defaultChannel(channel.id);
    for (const pin of rowsOf(raw, 'pins'))
      this.builder.note(
        'left out',
        'pin',
        `${slackId}/${textOf(pin, 'id')}`,
        'Pinned messages are not supported.',
      );
  }

  private subscribe(userId: number, recipientId: number): void {
    this.builder.add('zerver_subscription', {
      id: recipientId,
      ...{ user_profile: userId, recipient: recipientId, active: true },
    });
  }
}
