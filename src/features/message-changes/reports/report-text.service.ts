import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  channelNarrow,
  conversationNarrow,
  DirectConversationService,
  fenceAround,
  MessageRendererService,
  MessageTextService,
  type ReadableMessage,
  silentMention,
  topicReference,
} from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';
import { MAX_DESCRIPTION_LENGTH, reportTypeName, type ReportTypeKey } from './reports.api';

type Message = ReadableMessage['message'];

/** The reason given in a report. */
export interface Complaint {
  readonly type: ReportTypeKey;
  /** Markdown; empty where the type says enough. */
  readonly description: string;
}

/** What a report says: as it is written, and as its readers see it. */
interface ReportText {
  readonly content: string;
  readonly rendered: Awaited<ReturnType<MessageRendererService['renderFor']>>;
}

/** How the text speaks of a message. */
interface Description {
  readonly kind: 'message' | 'direct message';
  /** Whom it was for, as the header goes on; empty where that goes without saying. */
  readonly recipients: string;
  /** Markdown that leads to it. */
  readonly original: string;
}

/** Room for what stands around the reported content: the description, and the words of the report. */
const AROUND = MAX_DESCRIPTION_LENGTH + 500;

const NOBODY: ReadonlySet<number> = new Set();

/** Writes what the bot tells the moderators of a reported message. */
@Injectable()
export class ReportTextService {
  constructor(
    private readonly conversations: DirectConversationService,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly renderer: MessageRendererService,
    private readonly texts: MessageTextService,
    private readonly config: Config,
  ) {}

  /** Renders a report. It refers only to what the reporter sees, and its mentions are silent. */
  async write(
    db: Queryable,
    reporter: Actor,
    message: Message,
    { type, description }: Complaint,
  ): Promise<ReportText> {
    const { kind, recipients, original } = await this.describe(db, reporter, message);
    const [by, author] = [this.mention(reporter.userId), this.mention(message.senderId)];
    const reason = `**${reportTypeName(type)}**. ${description}`;
    const quote = fenceAround(reason);
    const reported = this.texts.cutContent(message.content, AROUND);
    const spoiler = fenceAround(reported);
    const content = [
      `${by} reported a ${kind} sent by ${author}${recipients} at ${globalTime(message.sentAt)}.`,
      `${quote}quote`,
      reason,
      quote,
      '',
      `${spoiler} spoiler ${original}`,
      reported,
      spoiler,
    ].join('\n');
    const rendered = await this.renderer.renderFor(reporter, content);
    const calm = { mentionedUserIds: NOBODY, mentionedGroupIds: NOBODY };
    return { content, rendered: { ...rendered, ...calm, channelWildcard: false, topicWildcard: false } };
  }

  private async describe(db: Queryable, reporter: Actor, message: Message): Promise<Description> {
    const { id, channelId, conversationId, topicName, senderId } = message;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    if (channel) {
      const topic = topicName ?? '';
      const url = this.urlOf(channelNarrow(channel, topic, { near: id }));
      const reference = topicReference({ channelName: channel.name, topic, messageId: id, url });
      return { kind: 'message', recipients: '', original: `Original message at ${reference}` };
    }
    const members = await this.conversations.membersOf(db, [conversationId ?? 0]);
    const memberIds = members.get(conversationId ?? 0) ?? [];
    const isObvious = memberIds.length <= 2 && senderId !== reporter.userId;
    return {
      kind: 'direct message',
      recipients: isObvious ? '' : ` to ${this.recipients(memberIds, senderId)}`,
      original: `[Original message](${this.urlOf(conversationNarrow(memberIds, id))})`,
    };
  }

  /** A message to oneself has its sender for its only recipient. */
  private recipients(memberIds: readonly number[], senderId: number): string {
    const others = memberIds.filter((userId) => userId !== senderId);
    const names = (others.length > 0 ? others : [senderId]).map((userId) => this.mention(userId));
    return new Intl.ListFormat('en').format(names.sort());
  }

  private mention(userId: number): string {
    return silentMention(this.accounts.existing(userId));
  }

  private urlOf(narrow: string): string {
    return new URL(narrow, this.config.externalUrl).href;
  }
}

/** Markup that each reader sees in their own time zone. @param seconds UNIX seconds */
function globalTime(seconds: number): string {
  return `<time:${new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')}>`;
}
