/** Types of the server's data that the console uses. Keys are named as in the API. */

export interface Person {
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly role: number;
  readonly is_bot: boolean;
  readonly bot_type?: number | null;
  readonly is_system_bot?: true;
  readonly bot_owner_id?: number | null;
  readonly is_guest: boolean;
  readonly is_active?: boolean;
  readonly avatar_url?: string | null;
  readonly avatar_version?: number;
  /** Only known for the signed-in user: `U` means uploaded. */
  readonly avatar_source?: string;
  readonly date_joined: string;
  readonly timezone?: string;
}

/** A user group, including system groups. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
  readonly [permission: `can_${string}_group`]: GroupSetting;
}

/** Holders of a permission: a group, or individual people and groups. */
export type GroupSetting =
  number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

export interface Channel {
  readonly stream_id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_archived: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly creator_id: number | null;
  readonly subscriber_count: number;
  /** Null if the channel is less than a week old. */
  readonly stream_weekly_traffic: number | null;
  readonly folder_id?: number | null;
  readonly topics_policy?: string;
  readonly [permission: `can_${string}_group`]: GroupSetting;
}

/** A channel with the user's personal settings. */
export interface KnownChannel extends Channel {
  readonly isSubscribed: boolean;
  readonly is_muted?: boolean;
  readonly pin_to_top?: boolean;
  readonly color?: string;
  /** Null means the same as for all channels. */
  readonly desktop_notifications?: boolean | null;
  readonly audible_notifications?: boolean | null;
  readonly push_notifications?: boolean | null;
  readonly email_notifications?: boolean | null;
  readonly wildcard_mentions_notify?: boolean | null;
}

export interface Reaction {
  readonly user_id: number;
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
}

/** A user's status without empty parts. */
export interface UserStatus {
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: Reaction['reaction_type'];
}

export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** An allowed domain for new email addresses. */
export interface AllowedDomain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** Data attached to a message, such as a vote. */
interface Submessage {
  readonly id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  /** JSON text. */
  readonly content: string;
}

export interface Message {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly type: 'stream' | 'private';
  readonly stream_id?: number;
  readonly subject: string;
  readonly display_recipient: string | readonly { readonly id: number }[];
  readonly content: string;
  /** The same with highlighted search terms, if the message was found by a search. */
  readonly match_content?: string | undefined;
  readonly timestamp: number;
  readonly reactions: readonly Reaction[];
  readonly flags: readonly string[];
  readonly submessages?: readonly Submessage[];
  readonly last_edit_timestamp?: number;
  readonly is_me_message: boolean;
}

/** Unread messages by place. */
interface UnreadPlaces {
  readonly pms: readonly { readonly other_user_id: number; readonly unread_message_ids: readonly number[] }[];
  readonly huddles: readonly {
    readonly user_ids_string: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly mentions: readonly number[];
}

interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly visibility_policy: number;
}

/** Recipients and content of a draft. */
export interface DraftContent {
  readonly type: 'stream' | 'private' | '';
  /** A channel, people, or none yet. */
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
}

/** A draft stored on the server. */
export interface SavedDraft extends DraftContent {
  readonly id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** A message scheduled for later. */
export interface ScheduledMessage {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  readonly to: number | readonly number[];
  readonly topic?: string;
  readonly content: string;
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

/** A reminder of a message. */
export interface Reminder {
  readonly reminder_id: number;
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

/** The response to `POST /register`. Keys of the organization begin with `realm_`. */
export interface Registration {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly user_id: number;
  readonly realm_users: readonly Person[];
  readonly realm_non_active_users: readonly Person[];
  readonly cross_realm_bots: readonly Person[];
  readonly realm_user_groups: readonly Group[];
  readonly realm_emoji: Readonly<Record<string, CustomEmoji>>;
  readonly subscriptions: readonly Channel[];
  readonly unsubscribed: readonly Channel[];
  readonly never_subscribed: readonly Channel[];
  readonly unread_msgs: UnreadPlaces;
  readonly user_topics: readonly UserTopic[];
  readonly user_settings: Readonly<Record<string, unknown>>;
  readonly muted_users: readonly { readonly id: number }[];
  readonly user_status: Readonly<Record<string, UserStatus>>;
  readonly avatar_source: string;
  readonly drafts: readonly SavedDraft[];
  readonly scheduled_messages: readonly ScheduledMessage[];
  readonly reminders: readonly Reminder[];
  readonly recent_private_conversations: readonly {
    readonly max_message_id: number;
    readonly user_ids: readonly number[];
  }[];
  readonly [key: string]: unknown;
}

/** An event of the queue; its content depends on its type. */
export interface ServerEvent {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
  // Events have some eighty shapes; the server's tests hold them to the contract.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
  readonly [key: string]: any;
}

/** Roles as numbers; smaller ones have more permissions. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

/** Visibility policies of topics. */
export const TOPIC_POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
