import { Injectable } from '@nestjs/common';
import { mailedText } from './mail-html';
import { type MissedMail, missedMail, MissedMessages } from './missed-messages.service';
import { Unsubscribing } from './unsubscribing.service';
import * as de from './words.de';
import * as en from './words';
import type { MailedPlace, missed } from './words';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import type { MailBody, MailMessage } from '../../../platform/mail/mail-message';
import { missedListId } from '../../../platform/mail/incoming-mail';
import { Mailer } from '../../../platform/mail/mailer.service';
import { inEach, languageFor, type PageLanguage } from '../../../platform/pages/languages';
import { Html, htmlTag, markup, NOTHING } from '../../../platform/pages/web-page';
import { ReplyAddressService } from '../../mail-gateway/mail-gateway.module';
import {
  channelNarrow,
  conversationNarrow,
  MessageAccess,
  MessageRecordsService,
  type MessageRow,
  MessageRowsService,
  type MessageWire,
  readHtml,
  type RecipientWire,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord, personalSetting } from '../../users/users.module';
import type { NotificationReason } from '../choice/notification-choice.service';

const wordsIn = inEach<typeof en>({ en, de });

const VIEW = { applyMarkdown: true, clientGravatar: false, allowEmptyTopicName: false };

/** Maximum number of earlier messages of the topic to include with a mention. */
const CONTEXT_MESSAGES = 10;
const CONTEXT_SECONDS = 15 * 60;

/** Maximum size of all messages in a mail, in characters; further ones are only counted. */
const MAX_CHARACTERS = 100_000;

/** The policy 3 never names the organization; neither does the automatic one, as there is only one organization. */
const NAMES_ORGANIZATION = 2;

const SETTINGS_PATH = '/console/settings/notifications';

/** A message as included in a mail. */
interface Shown extends MailBody {
  readonly sender: string;
}

/** The part of a mail that depends on whether it may contain messages. */
interface Content {
  readonly title: string;
  readonly body: MailBody;
  readonly replyTo?: string | null;
}

/** The part below the messages. */
interface Foot {
  readonly notes: readonly string[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** Composes mails about missed messages when they are sent, so that they are up to date. */
@Injectable()
export class MissedMailService {
  constructor(
    mailer: Mailer,
    private readonly missed: MissedMessages,
    private readonly unsubscribing: Unsubscribing,
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly access: MessageAccess,
    private readonly rows: MessageRowsService,
    private readonly records: MessageRecordsService,
    private readonly replies: ReplyAddressService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
  ) {
    mailer.handle(missedMail, (data) => this.compose(data));
  }

  /** Null if none of the messages is missed any more. */
  private async compose(mail: MissedMail): Promise<MailMessage | null> {
    await this.directories.catchUp();
    const account = this.accounts.byId(mail.userId);
    if (!account) return null;
    // All of one conversation, unless some were moved while the mail server was down.
    const still = (await this.missed.stillMissed(account, mail.messageIds)).flat();
    const messages = await this.load(still.map(({ messageId }) => messageId));
    const [first] = messages;
    if (!first) return null;
    const isHidden = !this.showsContent(account);
    const { reason } = still.find(({ reason }) => reason === 'mention') ?? still[0]!;
    const { name } = this.organization.settings;
    const language = this.languageOf(account);
    const words = wordsIn(language).missed;
    const message = isHidden
      ? this.hidden(mail, messages.length, language)
      : await this.shown(mail, account, messages, reason);
    const isNamed =
      personalSetting(account.settings, 'realm_name_in_email_notifications_policy') === NAMES_ORGANIZATION;
    return {
      ...message,
      to: account.deliveryEmail,
      fromName: words.sender(name),
      title: isNamed ? words.inOrganization(message.title, name) : message.title,
      ...this.head(account, messages),
    };
  }

  private languageOf({ settings }: AccountRecord): PageLanguage {
    return languageFor(settings, this.organization.settings.default_language);
  }

  private async load(ids: readonly number[]): Promise<MessageRow[]> {
    const rows: MessageRow[] = [];
    for (const id of ids) {
      const row = await this.rows.find(this.database.read, id);
      if (row) rows.push(row);
    }
    return rows;
  }

  private showsContent({ settings }: AccountRecord): boolean {
    return (
      this.organization.settings.message_content_allowed_in_email_notifications &&
      personalSetting(settings, 'message_content_in_email_notifications')
    );
  }

  /** A mail that reveals neither senders nor texts nor places. */
  private hidden(mail: MissedMail, shown: number, language: PageLanguage): Content {
    const words = wordsIn(language).missed;
    const { name } = this.organization.settings;
    const foot: Foot = {
      notes: [words.whyHidden, words.noReply],
      links: [{ label: words.openServer(name), url: this.config.externalUrl }],
    };
    const notes = [words.hidden(shown + mail.more, name), ...furtherNotes(mail, words)];
    return {
      title: words.hiddenTitle,
      body: this.body(mail.userId, language, { context: [], messages: [], notes }, foot),
    };
  }

  private async shown(
    mail: MissedMail,
    account: AccountRecord,
    rows: readonly MessageRow[],
    reason: NotificationReason,
  ): Promise<Content> {
    const db = this.database.read;
    const language = this.languageOf(account);
    const words = wordsIn(language).missed;
    const spoilerNote = words.spoiler(this.organization.settings.name);
    const reader = { userId: account.id, role: account.role };
    const earlier = reason === 'mention' ? await this.earlier(account, rows[0]!) : [];
    const records = await this.records.records(db, [...earlier, ...rows], { ...VIEW, reader });
    const context = this.fitting(records.slice(0, earlier.length), spoilerNote);
    const messages = this.fitting(records.slice(earlier.length), spoilerNote);
    const last = records.at(-1)!;
    const place = this.place(account, last, records.slice(earlier.length));
    const hiddenCount = mail.more + rows.length - messages.length;
    const replyTo = await this.transactions.run((tx) => this.replies.create(tx, account.id, last.id));
    const foot: Foot = {
      notes: [words.why(reason, place), replyTo === null ? words.noReply : words.reply],
      links: [{ label: words.open, url: this.config.externalUrl + pathOf(records[earlier.length]!) }],
    };
    const notes = [...(hiddenCount > 0 ? [words.more(hiddenCount)] : []), ...furtherNotes(mail, words)];
    const body = this.body(mail.userId, language, { context, messages, notes }, foot);
    return { title: words.title(place), body, replyTo };
  }

  /** Messages of the topic shortly before a message, as far as the user may read them. */
  private async earlier(account: AccountRecord, { topicId, id, sentAt }: MessageRow): Promise<MessageRow[]> {
    if (topicId === null) return [];
    const db = this.database.read;
    const before = await db.query<{ id: number }>(
      'SELECT id FROM message WHERE topic_id = ? AND id < ? AND sent_at >= ? ORDER BY id DESC LIMIT ?',
      [topicId, id, sentAt - CONTEXT_SECONDS, CONTEXT_MESSAGES],
    );
    const ids = before.map((row) => row.id).reverse();
    const found = await this.access.among(db, { userId: account.id, role: account.role }, ids);
    return this.load(ids.filter((each) => found.get(each)?.isReadable));
  }

  /** The first messages that fit into a mail; at least one. */
  private fitting(records: readonly MessageWire[], spoilerNote: string): Shown[] {
    const shown: Shown[] = [];
    let characters = 0;
    for (const { content, sender_full_name: sender } of records) {
      const text = mailedText(content, this.config.externalUrl, spoilerNote);
      characters += text.text.length + text.html.length;
      if (characters > MAX_CHARACTERS && shown.length > 0) break;
      shown.push({ sender, ...text });
    }
    return shown;
  }

  private place(account: AccountRecord, last: MessageWire, messages: readonly MessageWire[]): MailedPlace {
    if (last.type === 'stream') {
      const group = groupIn(messages, account.id);
      return { people: [], channel: last.display_recipient as string, topic: last.subject, group };
    }
    const members = last.display_recipient as readonly RecipientWire[];
    const people = members.filter(({ id }) => id !== account.id).map(({ full_name: name }) => name);
    return { people, channel: null, topic: '', group: null };
  }

  private body(
    userId: number,
    language: PageLanguage,
    {
      context,
      messages,
      notes,
    }: Record<'context' | 'messages', readonly Shown[]> & { notes: readonly string[] },
    foot: Foot,
  ): MailBody {
    const words = wordsIn(language).missed;
    const links = [
      ...foot.links,
      { label: words.settings, url: this.config.externalUrl + SETTINGS_PATH },
      { label: words.unsubscribe, url: this.unsubscribing.urlFor(this.accounts.existing(userId)) },
    ];
    const earlier = context.length > 0 ? [words.earlier, ...context.map(plain)] : [];
    const text = [
      ...earlier,
      ...messages.map(plain),
      ...notes,
      '--\n' + foot.notes.join('\n'),
      links.map(({ label, url }) => `${label}:\n${url}`).join('\n'),
    ];
    const html = markup`<!doctype html>
      ${htmlTag(language)}
        <body>
          ${context.length === 0 ? NOTHING : markup`<p><em>${words.earlier}</em></p>`}
          ${context.map(article)} ${context.length === 0 ? NOTHING : markup`<hr />`} ${messages.map(article)}
          ${notes.map((note) => markup`<p>${note}</p>`)}
          <hr />
          ${foot.notes.map((note) => markup`<p>${note}</p>`)}
          ${links.map(({ label, url }) => markup`<p><a href="${url}">${label}</a></p>`)}
        </body>
      </html>`;
    return { text: text.join('\n\n') + '\n', html: html.text };
  }

  /**
   * Mail clients group the mails of a conversation by a reference to an ID that no mail has. The IDs do not reveal the
   * conversation or its participants.
   */
  private head(
    account: AccountRecord,
    messages: readonly MessageRow[],
  ): Pick<MailMessage, 'thread' | 'headers'> {
    const { topicId, conversationId, id } = messages[0]!;
    const { hostname } = new URL(this.config.externalUrl);
    const about = JSON.stringify([topicId, conversationId, account.id]);
    const thread = this.unsubscribing.opaque(about);
    const unsubscribe = this.unsubscribing.urlFor(account);
    return {
      thread: { id: `<${thread}.${id}@${hostname}>`, references: [`<${thread}@${hostname}>`] },
      headers: {
        'X-Auto-Response-Suppress': 'All',
        'List-Id': `<${missedListId(hostname)}>`,
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    };
  }
}

/** The note in the last mail of a batch about conversations without a mail of their own. */
function furtherNotes({ moreConversations }: MissedMail, words: typeof missed): string[] {
  return moreConversations > 0 ? [words.moreConversations(moreConversations)] : [];
}

/** The path that opens the conversation at a message. */
function pathOf(message: MessageWire): string {
  const { id, type, stream_id: channelId, display_recipient: to } = message;
  if (type === 'stream') {
    return channelNarrow({ id: channelId!, name: to as string }, message.subject, { near: id });
  }
  const memberIds = (to as readonly RecipientWire[]).map((member) => member.id);
  memberIds.sort((a, b) => a - b);
  return conversationNarrow(memberIds, id);
}

const GROUP_MENTION = /<span class="user-group-mention" data-user-group-id="(\d+)">@?([^<]*)<\/span>/g;

/** The name of the only group that messages mention, unless they mention the user by name. */
function groupIn(messages: readonly MessageWire[], userId: number): string | null {
  const html = messages.map(({ content }) => content).join('\n');
  if (html.includes(`<span class="user-mention" data-user-id="${userId}">`)) return null;
  const groups = new Map(
    Array.from(html.matchAll(GROUP_MENTION), ([, id, name]) => [id, readHtml(name!).text]),
  );
  return groups.size === 1 ? [...groups.values()][0]! : null;
}

function plain({ sender, text }: Shown): string {
  return `${sender}:\n${text.replace(/^/gm, '> ')}`;
}

function article({ sender, html }: Shown): Html {
  return markup`<p><strong>${sender}</strong></p>
    <blockquote>${new Html(html)}</blockquote>`;
}
