import { Injectable } from '@nestjs/common';
import { MessageWriterService } from './message-writer.service';
import type { OutgoingMessage } from './outgoing-message';
import { type Actor, INTERNAL_CLIENT } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { rowsPutBack } from '../../../platform/database/database.hooks';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  ChannelActivityService,
  type ChannelRecord,
  MAX_CHANNEL_NAME_LENGTH,
  SubscriptionDirectory,
} from '../../channels/channels.module';
import { AlertWordDirectory } from '../../personal/personal.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { showAsUploaded } from '../markdown/media-html';
import { MessageRendererService } from '../markdown/message-renderer.service';
import type { RenderedMarkdown } from '../markdown/render-markdown';

/** The system bot that sends the message. */
type SystemBot = 'notification-bot' | 'welcome-bot' | 'messaging-bridge';

/** A message of a system bot. */
export interface SystemContent {
  /** Markdown. */
  readonly content: string;
  /** People for whom the message starts as read. */
  readonly readBy?: Iterable<number>;
  /** Whether it tells that its topic was resolved or opened again. */
  readonly isResolutionNotice?: boolean;
  /** Whether it forwards a text from outside the organization, which mentions no users. */
  readonly isFromOutside?: boolean;
  /**
   * The content as rendered for its reader, if it contains what others wrote; by default it may refer to everything.
   */
  readonly rendered?: RenderedMarkdown;
  /** Channels that it links to and that are being created in the same transaction. */
  readonly newChannels?: readonly ChannelRecord[];
}

/** Files in bots' messages are not opened to readers, so nobody is notified when thumbnails are ready. */
function readyAtOnce(rendered: RenderedMarkdown): RenderedMarkdown {
  return { ...rendered, html: showAsUploaded(rendered.html) };
}

/** The destination of a system bot's channel message. */
export interface SystemTarget {
  readonly channel: ChannelRecord;
  /** '' for the empty topic. */
  readonly topic: string;
  /** The subscribers, if the directory is not up to date yet. */
  readonly subscribers?: Audience;
}

const NOBODY: ReadonlySet<number> = new Set();

/** Sends messages of the server itself, as part of the change that they describe. Not subject to permissions. */
@Injectable()
export class SystemMessageService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly renderer: MessageRendererService,
    private readonly activity: ChannelActivityService,
    private readonly writer: MessageWriterService,
    private readonly alertWords: AlertWordDirectory,
  ) {}

  /** Requires an exclusive transaction, since the channel's own row may change. @returns the ID of the message */
  async sendToChannel(
    tx: Transaction,
    bot: SystemBot,
    target: SystemTarget,
    content: SystemContent,
  ): Promise<number> {
    const noteInChannel = this.activity.isDue(target.channel);
    await this.activity.lock(tx, [target.channel.id], { forUpdate: noteInChannel });
    const written = await this.writer.writeToChannel(tx, await this.outgoing(tx, bot, content), {
      ...target,
      noteInChannel,
    });
    return written.messageId;
  }

  /** @returns the ID of the message */
  async sendToPerson(
    tx: Transaction,
    bot: SystemBot,
    userId: number,
    content: SystemContent,
  ): Promise<number> {
    const message = await this.outgoing(tx, bot, content);
    const written = await this.writer.writeToConversation(
      tx,
      message,
      [message.sender.id, userId].sort((a, b) => a - b),
    );
    return written.messageId;
  }

  private async outgoing(
    tx: Transaction,
    bot: SystemBot,
    { content, readBy, isFromOutside, newChannels, isResolutionNotice, ...given }: SystemContent,
  ): Promise<OutgoingMessage> {
    const rendered =
      (given.rendered && readyAtOnce(given.rendered)) ??
      (isFromOutside
        ? this.renderer.renderOutside(content)
        : await this.renderer.renderOwn(tx, content, newChannels));
    return {
      sender: this.botNamed(bot),
      clientName: INTERNAL_CLIENT,
      content,
      rendered,
      groupMembers: NOBODY,
      topicParticipants: NOBODY,
      alerted: this.alertWords.alertedBy(rendered.prose),
      readBy: new Set(readBy),
      isResolutionNotice,
    };
  }

  /** The account with which the server sends messages. */
  botNamed(bot: SystemBot): AccountRecord {
    const found = this.accounts.systemBots().find((account) => account.emailKey.startsWith(`${bot}@`));
    if (!found) throw new Error(`The system bot ${bot} does not exist.`);
    return found;
  }
}

/** Minimum time between two notices to an owner about the same problem with a bot. */
const PAUSE_MS = 5 * 60_000;

/** Notifies owners of problems with their bots. */
@Injectable()
export class BotOwnerNoticeService {
  /** By problem and bot. */
  private readonly toldAt = new Map<string, number>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly transactions: TransactionService,
    private readonly messages: SystemMessageService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(rowsPutBack, (tx) => tx.afterCommit(() => this.toldAt.clear()));
  }

  /**
   * Notifies the owner that a bot wrote to a channel that does not exist or has no subscribers. Keys that are limited
   * to channels cause no direct messages.
   * @param address the name or ID that the bot used
   * @param channel the channel found, if any
   */
  async tellAboutChannel(
    bot: Actor,
    address: string | number,
    channel: ChannelRecord | undefined,
  ): Promise<void> {
    if (bot.limit?.channelIds) return;
    if (channel && this.subscriptions.subscriberCount(channel.id) > 0) return;
    await this.tell(bot.userId, 'channel', ({ fullName }) =>
      channel
        ? `Your bot **${fullName}** tried to send a message to #**${channel.name}**, which has no subscribers.`
        : `Your bot **${fullName}** tried to send a message to a channel that does not exist: ${describe(address)}.`,
    );
  }

  /**
   * Sends the owner of a bot a direct message, unless they were notified of the same problem recently.
   * @param trouble kind of problem
   * @param contentFor returns Markdown
   */
  async tell(botId: number, trouble: string, contentFor: (bot: AccountRecord) => string): Promise<void> {
    const bot = this.accounts.byId(botId);
    const owner = bot?.botOwnerId == null ? undefined : this.accounts.byId(bot.botOwnerId);
    if (!bot || !owner?.isActive || this.wasToldRecently(`${trouble} ${botId}`)) return;
    const content = contentFor(bot);
    await this.transactions.run((tx) =>
      this.messages.sendToPerson(tx, 'notification-bot', owner.id, { content }),
    );
  }

  private wasToldRecently(matter: string): boolean {
    const now = this.clock.nowMs();
    const last = this.toldAt.get(matter);
    if (last !== undefined && now - last < PAUSE_MS) return true;
    this.toldAt.set(matter, now);
    return false;
  }
}

/** Characters that would end a code span: backticks, and line and paragraph breaks. */
const ENDS_CODE = /[`\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The address may be any text, and system messages may refer to everything: so it is quoted as code. */
function describe(address: string | number): string {
  if (typeof address === 'number') return `ID ${address}`;
  const shown = Array.from(address.replace(ENDS_CODE, ' ')).slice(0, MAX_CHANNEL_NAME_LENGTH).join('');
  return `\`${shown}\``;
}
