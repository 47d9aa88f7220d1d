import { Injectable } from '@nestjs/common';
import { DirectConversationService } from './direct-conversation.service';
import {
  alternativeForms,
  ContentType,
  type ContributedWire,
  conversationWire,
  messageWire,
  type MessageWire,
  type PlaceWire,
  rowWire,
  senderWire,
  type SenderWire,
  type ShownSender,
  topicPlaceWire,
  withoutEmptyTopic,
} from './message-records.api';
import type { MessageRow } from './message-rows.service';
import { emptyMessageFields, messageFields } from './messages.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelDirectory } from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import {
  AccountDirectory,
  type AccountRecord,
  avatarUrl,
  EmailVisibility,
  isExternalAvatar,
  UNKNOWN_USER,
  UserVisibility,
} from '../../users/users.module';
import { MessageRendererService } from '../markdown/message-renderer.service';

/** The record of a message as JSON, for responses with hundreds of them. */
export interface RecordText {
  /** Returns the JSON without its braces, so that members can be appended. */
  readonly members: () => string;
  /** As shown in the record. */
  readonly topic: string;
}

/** An object's JSON without its braces. @param object has at least one key */
export function jsonMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** Memoizes a function by its key. */
export function kept<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) values.set(key, (value = of(key)));
    return value;
  };
}

interface PlaceText {
  readonly topic: string;
  readonly text: string;
}

/** Writes the topics and conversations of one response's messages, each once. */
class PlaceTexts {
  private readonly topics = new Map<number, PlaceText>();
  private readonly conversations = new Map<number, PlaceText>();

  constructor(private readonly place: (message: MessageRow) => PlaceWire) {}

  of(message: MessageRow): PlaceText {
    const { topicId, conversationId } = message;
    const [known, id] = topicId === null ? [this.conversations, conversationId ?? 0] : [this.topics, topicId];
    let found = known.get(id);
    if (!found) {
      const place = this.place(message);
      known.set(id, (found = { topic: place.subject, text: jsonMembers(place) }));
    }
    return found;
  }
}

/** The reader of records, and the format they asked for. */
export interface MessageView {
  /** Null for a person without an account. */
  readonly reader: Reader | null;
  /** Whether content is HTML rather than Markdown. */
  readonly applyMarkdown: boolean;
  /** Whether the reader's client computes Gravatar URLs itself. */
  readonly clientGravatar: boolean;
  /** Whether the empty topic keeps its name instead of its display name. */
  readonly allowEmptyTopicName: boolean;
}

/** The record of a new message, with the alternative forms that some queues asked for. */
export interface NewMessageRecord {
  readonly record: MessageWire;
  readonly alternatives: Readonly<Record<string, Partial<MessageWire>>>;
}

/** The fields of a record about a sender. */
interface SenderParts {
  readonly sender: SenderWire;
  readonly avatarUrl: string;
  /** Whether clients can compute the avatar URL themselves. */
  readonly hasPublicGravatar: boolean;
}

/** The data of records that does not come from message rows. */
interface ShownToReader {
  readonly sender: (senderId: number) => ShownSender;
  readonly place: (message: MessageRow) => PlaceWire;
  /** Undefined if features add nothing. */
  readonly contributed: (messageId: number) => ContributedWire | undefined;
}

/** Converts messages to the records that clients receive. */
@Injectable()
export class MessageRecordsService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly conversations: DirectConversationService,
    private readonly hooks: Hooks,
    private readonly renderer: MessageRendererService,
    private readonly visibility: UserVisibility,
  ) {}

  /** The records of messages that the reader may see, in the same order, without personal flags. */
  async records(db: Queryable, messages: readonly MessageRow[], view: MessageView): Promise<MessageWire[]> {
    const { sender, place, contributed } = await this.shown(db, messages, view);
    return messages.map((message) =>
      messageWire(
        message,
        {
          sender: sender(message.senderId),
          place: place(message),
          contributed: contributed(message.id) ?? this.nothingContributed(),
        },
        contentTypeOf(view),
      ),
    );
  }

  /**
   * The same records as JSON, in the same order. For hundreds of messages this costs half as much, because what they
   * have in common is written once. Each is written on demand, so that other requests can run between large ones.
   */
  async texts(db: Queryable, messages: readonly MessageRow[], view: MessageView): Promise<RecordText[]> {
    const { sender, place, contributed } = await this.shown(db, messages, view);
    const senderText = kept((id: number) => jsonMembers(sender(id)));
    const places = new PlaceTexts(place);
    const nothing = jsonMembers(this.nothingContributed());
    return messages.map((message) => {
      const { topic, text } = places.of(message);
      const members = () => {
        const own = jsonMembers(rowWire(message, contentTypeOf(view)));
        const added = contributed(message.id);
        const addedText = added ? jsonMembers(added) : nothing;
        return `${own},${senderText(message.senderId)},${text},${addedText}`;
      };
      return { topic, members };
    });
  }

  /**
   * The record in the event of a new message: HTML, avatar URLs included, empty topic names allowed; with the
   * alternative forms that some queues asked for.
   * @param memberIds participants of a direct conversation, ascending
   * @param channelName name of a channel that is being created in the same transaction and not in the directory yet
   * @param fields what features add to this message
   * @param isSenderHidden for guests who cannot see the sender
   */
  newRecord(
    message: MessageRow,
    sender: AccountRecord,
    to: { memberIds: readonly number[] } | { channelName: string },
    fields: object,
    isSenderHidden = false,
  ): NewMessageRecord {
    const parts = isSenderHidden ? this.hiddenSenderParts(sender) : this.senderParts(sender);
    const place =
      'channelName' in to ? this.topicPlace(message, to.channelName) : this.conversation(to.memberIds);
    const contributed = { ...this.nothingContributed(), ...fields };
    const shownSender = { ...parts.sender, avatar_url: parts.avatarUrl };
    return {
      record: messageWire(message, { sender: shownSender, place, contributed }, ContentType.html),
      alternatives: alternativeForms(message, place, parts.hasPublicGravatar, this.emptyTopicName),
    };
  }

  /** Loads everything that the records of these messages contain, at once. */
  private async shown(
    db: Queryable,
    messages: readonly MessageRow[],
    view: MessageView,
  ): Promise<ShownToReader> {
    const conversationIds = messages.flatMap((message) => message.conversationId ?? []);
    const members = await this.conversations.membersOf(db, conversationIds);
    const contributed = await this.contributed(db, messages, view);
    const senders = await this.senders(db, messages, view.reader);
    return {
      sender: (id) => {
        const { sender, avatarUrl: url, hasPublicGravatar } = senders.get(id) as SenderParts;
        return { ...sender, avatar_url: view.clientGravatar && hasPublicGravatar ? null : url };
      },
      place: (message) => {
        const place = this.place(message, members.get(message.conversationId ?? 0) ?? []);
        return view.allowEmptyTopicName ? place : withoutEmptyTopic(place, this.emptyTopicName);
      },
      contributed,
    };
  }

  /** @returns what features add to the record of a message; undefined if nothing */
  private async contributed(
    db: Queryable,
    messages: readonly MessageRow[],
    view: MessageView,
  ): Promise<ShownToReader['contributed']> {
    const shownTopic = (topic: string) => (view.allowEmptyTopicName ? topic : topic || this.emptyTopicName);
    const filled = await this.hooks.run(messageFields, db, messages, {
      limit: view.reader?.limit ?? null,
      shownTopic,
    });
    return (id) => {
      const added = filled.flatMap((fields) => fields.get(id) ?? []);
      return added.length === 0
        ? undefined
        : (Object.assign(this.nothingContributed(), ...added) as ContributedWire);
    };
  }

  private nothingContributed(): ContributedWire {
    return Object.assign({ submessages: [] }, ...this.hooks.ask(emptyMessageFields)) as ContributedWire;
  }

  private get emptyTopicName(): string {
    return this.organization.settings.empty_topic_display_name;
  }

  private place(message: MessageRow, memberIds: readonly number[]): PlaceWire {
    if (message.channelId === null) return this.conversation(memberIds);
    return this.topicPlace(message, this.channels.byId(message.channelId)?.name ?? '');
  }

  private conversation(memberIds: readonly number[]): PlaceWire {
    const people = memberIds.flatMap((id) => this.accounts.byId(id) ?? []);
    return conversationWire(
      people.map((account) => ({ ...account, email: this.accounts.apiEmail(account) })),
    );
  }

  private topicPlace(message: MessageRow, channelName: string): PlaceWire {
    const topic = message.topicName ?? '';
    const links = topic === '' ? [] : this.renderer.topicLinks(topic);
    return topicPlaceWire({ id: message.channelId ?? 0, name: channelName }, topic, links);
  }

  private async senders(
    db: Queryable,
    messages: readonly MessageRow[],
    reader: Reader | null,
  ): Promise<Map<number, SenderParts>> {
    const ids = [...new Set(messages.map((message) => message.senderId))];
    const accounts = ids.flatMap((id) => this.accounts.byId(id) ?? []);
    const visible = reader ? await this.visibility.visible(db, reader, accounts) : accounts;
    const seen = new Set(visible.map((account) => account.id));
    return new Map(
      accounts.map((account) => [account.id, this.partsFor(reader, account, seen.has(account.id))]),
    );
  }

  private partsFor(reader: Reader | null, account: AccountRecord, isSeen: boolean): SenderParts {
    if (!isSeen) return this.hiddenSenderParts(account);
    return reader ? this.senderParts(account) : this.partsForAnybody(account);
  }

  private senderParts(account: AccountRecord): SenderParts {
    return {
      sender: senderWire({ ...account, email: this.accounts.apiEmail(account) }),
      avatarUrl: avatarUrl(account),
      hasPublicGravatar: isExternalAvatar(account) && account.emailVisibility === EmailVisibility.everyone,
    };
  }

  /** For anonymous readers, who cannot see real addresses. */
  private partsForAnybody(account: AccountRecord): SenderParts {
    const email = this.accounts.placeholderOf(account.id);
    return {
      sender: senderWire({ ...account, email }),
      avatarUrl: avatarUrl(account),
      hasPublicGravatar: false,
    };
  }

  /** The sender as shown to a guest who may not see this person. */
  private hiddenSenderParts({ id }: AccountRecord): SenderParts {
    const email = this.accounts.placeholderOf(id);
    return {
      sender: senderWire({ id, email, fullName: UNKNOWN_USER.fullName }),
      avatarUrl: UNKNOWN_USER.avatarUrl,
      hasPublicGravatar: false,
    };
  }
}

function contentTypeOf({ applyMarkdown }: MessageView): ContentType {
  return applyMarkdown ? ContentType.html : ContentType.markdown;
}
