import { createHash } from 'node:crypto';
import { type ExportContext, REALM, recipientId, RecipientType } from '../export-context';
import { type NamedRows, pagedRows, type RawRow } from '../row-files';
import { mapped, numbered } from './organization-tables';

const SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_remove_subscribers_group',
  'can_send_message_group',
  'can_subscribe_group',
] as const;

/** Group conversations whose existence the archive may reveal. */
function groupConversations({ scope }: ExportContext) {
  const { sql, values } = scope.conversations;
  return {
    sql: `
      SELECT c.id, COUNT(*) AS size FROM direct_conversation c
      JOIN direct_conversation_member m ON m.conversation_id = c.id
      WHERE ${sql} GROUP BY c.id HAVING COUNT(*) > 2`,
    values,
  };
}

/** Placeholder for the channel color of a person whose personal settings are not exported. */
const SOME_COLOR = '#c2c2c2';

/** Channels, group conversations, and their members. */
export function channelTables(context: ExportContext): NamedRows[] {
  const { db } = context;
  return [
    ['zerver_stream', mapped(pagedRows(db, 'SELECT * FROM channel'), channelRow)],
    [
      'zerver_defaultstream',
      mapped(pagedRows(db, 'SELECT id FROM channel WHERE is_default = ?', ['id'], [true]), ({ id }) => ({
        id,
        realm: REALM,
        stream: id,
      })),
    ],
    ['zerver_recipient', recipients(context)],
    ['zerver_huddle', conversations(context)],
    ['zerver_subscription', numbered(subscriptions(context), (row) => row)],
    ['zerver_realmauditlog', numbered(subscriptionChanges(context), (row) => row)],
  ];
}

/** Converts a channel to a row of the archive. */
export function channelRow(raw: RawRow): object {
  return {
    id: raw.id,
    realm: REALM,
    name: raw.name,
    description: raw.description,
    rendered_description: raw.rendered_description,
    date_created: raw.date_created,
    creator: raw.creator_id,
    deactivated: Boolean(raw.is_archived),
    invite_only: Boolean(raw.is_private),
    is_web_public: Boolean(raw.is_web_public),
    history_public_to_subscribers: Boolean(raw.is_history_public_to_subscribers),
    message_retention_days: raw.message_retention_days,
    first_message_id: raw.first_message_id,
    is_recently_active: true,
    is_in_zephyr_realm: false,
    recipient: recipientId(RecipientType.channel, Number(raw.id)),
    ...Object.fromEntries(SETTINGS.map((name) => [name, raw[name]])),
  };
}

/** Channel permissions that are newer than the archive's schema. */
const LATER_SETTINGS = [
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
] as const;

/** Channel data that the archive's schema lacks: folders, policies, permissions. */
export function laterChannelTables({ db }: ExportContext): NamedRows[] {
  return [
    [
      'zerver_channelfolder',
      mapped(pagedRows(db, 'SELECT * FROM channel_folder'), (raw) => ({
        id: raw.id,
        realm: REALM,
        name: raw.name,
        description: raw.description,
        rendered_description: raw.rendered_description,
        order: raw.position,
        creator: raw.creator_id,
        date_created: raw.date_created,
        is_archived: Boolean(raw.is_archived),
      })),
    ],
    [
      'parley_stream',
      mapped(pagedRows(db, 'SELECT * FROM channel'), (raw) => ({
        id: raw.id,
        stream: raw.id,
        folder: raw.folder_id,
        topics_policy: TOPICS_POLICIES.indexOf(String(raw.topics_policy)) + 1,
        ...Object.fromEntries(LATER_SETTINGS.map((name) => [name, raw[name]])),
      })),
    ],
  ];
}

/** Values by their numbers in archives of later releases, which start at one. */
const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'];

async function* recipients(context: ExportContext): AsyncIterable<object> {
  const { db } = context;
  const groups = groupConversations(context);
  const kinds = [
    [RecipientType.person, 'SELECT id FROM account WHERE is_system_bot = ?', [false]],
    [RecipientType.channel, 'SELECT id FROM channel', []],
    [RecipientType.group, groups.sql, groups.values],
  ] as const;
  for (const [type, sql, parameters] of kinds) {
    for await (const { id } of pagedRows(db, sql, ['id'], parameters)) {
      yield { id: recipientId(type, Number(id)), type, type_id: id };
    }
  }
}

async function* conversations(context: ExportContext): AsyncIterable<object> {
  const { db } = context;
  const groups = groupConversations(context);
  for await (const { id, size } of pagedRows(db, groups.sql, ['id'], groups.values)) {
    const members = await db.query<{ id: number }>(
      'SELECT user_id AS id FROM direct_conversation_member WHERE conversation_id = ? ORDER BY user_id',
      [Number(id)],
    );
    const ids = members.map((member) => member.id).join(',');
    yield {
      id,
      huddle_hash: createHash('sha1').update(ids).digest('hex'),
      group_size: Number(size),
      recipient: recipientId(RecipientType.group, Number(id)),
    };
  }
}

/** Everyone is subscribed to themselves, their channels, and their group conversations. */
async function* subscriptions(context: ExportContext): AsyncIterable<object> {
  const { db } = context;
  const people = 'SELECT id, is_active FROM account WHERE is_system_bot = ?';
  for await (const { id, is_active } of pagedRows(db, people, ['id'], [false])) {
    yield subscriptionRow({ user_id: id ?? 0, is_active: true, is_user_active: is_active ?? false }, [
      RecipientType.person,
      id ?? 0,
    ]);
  }
  const own =
    'SELECT s.*, a.is_active AS is_user_active FROM subscription s JOIN account a ON a.id = s.user_id';
  for await (const raw of pagedRows(db, own)) {
    const personal = context.scope.hasPersonal(Number(raw.user_id)) ? raw : undefined;
    yield subscriptionRow(raw, [RecipientType.channel, raw.channel_id ?? 0], personal);
  }
  const groups = groupConversations(context);
  const members = `
    SELECT m.conversation_id, m.user_id, a.is_active AS is_user_active FROM direct_conversation_member m
    JOIN (${groups.sql}) g ON g.id = m.conversation_id JOIN account a ON a.id = m.user_id
    WHERE a.is_system_bot = ?`;
  for await (const raw of pagedRows(db, members, ['conversation_id', 'user_id'], [...groups.values, false])) {
    yield subscriptionRow({ ...raw, is_active: true }, [RecipientType.group, raw.conversation_id ?? 0]);
  }
}

/** @param personal the person's settings for the channel; empty if they must not be exported */
export function subscriptionRow(
  raw: RawRow,
  [type, typeId]: readonly [1 | 2 | 3, RawRow[string]],
  personal?: RawRow,
): object {
  const choice = (value: RawRow[string] | undefined) =>
    value === null || value === undefined ? null : Boolean(value);
  return {
    user_profile: raw.user_id,
    recipient: recipientId(type, Number(typeId)),
    active: Boolean(raw.is_active),
    is_user_active: Boolean(raw.is_user_active),
    is_muted: Boolean(personal?.is_muted),
    color: personal?.color ?? SOME_COLOR,
    pin_to_top: Boolean(personal?.is_pinned),
    desktop_notifications: choice(personal?.desktop_notifications),
    audible_notifications: choice(personal?.audible_notifications),
    push_notifications: choice(personal?.push_notifications),
    email_notifications: choice(personal?.email_notifications),
    wildcard_mentions_notify: choice(personal?.wildcard_mentions_notify),
  };
}

/** Numbers of the two kinds of log entries that determine who received what. */
const SUBSCRIBED = 301;
const UNSUBSCRIBED = 303;

/** When people subscribed and unsubscribed, dated by the preceding message. */
export async function* subscriptionChanges({ db, scope }: ExportContext): AsyncIterable<object> {
  const { sql, values } = scope.own(`
    SELECT p.id, p.user_id, p.channel_id, p.first_message_id, p.last_message_id, c.date_created,
      (SELECT sent_at FROM message WHERE id < p.first_message_id ORDER BY id DESC LIMIT 1) AS came_at,
      (SELECT sent_at FROM message WHERE id <= p.last_message_id ORDER BY id DESC LIMIT 1) AS left_at
    FROM subscription_period p JOIN channel c ON c.id = p.channel_id`);
  for await (const raw of pagedRows(db, sql, ['id'], values)) {
    const cameAt = Math.max(Number(raw.came_at ?? 0), Number(raw.date_created));
    yield change(raw, SUBSCRIBED, Number(raw.first_message_id) - 1, cameAt);
    if (raw.last_message_id === null) continue;
    const leftAt = Math.max(Number(raw.left_at ?? 0), cameAt);
    yield change(raw, UNSUBSCRIBED, Number(raw.last_message_id), leftAt);
  }
}

function change(raw: RawRow, type: number, lastMessageId: number, at: number): object {
  return {
    realm: REALM,
    event_type: type,
    event_time: at,
    acting_user: null,
    modified_user: raw.user_id,
    modified_stream: raw.channel_id,
    modified_user_group: null,
    event_last_message_id: lastMessageId,
    backfilled: false,
    extra_data: {},
  };
}
