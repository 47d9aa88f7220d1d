import { flagNames } from '../../../messages/messages.module';
import { type ExportContext, recipientId, RecipientType } from '../archive/export-context';
import { type NamedRows, pagedRows, type RawRow, type Rows } from '../archive/row-files';
import { accountRow } from '../archive/tables/account-tables';
import { channelRow, subscriptionChanges, subscriptionRow } from '../archive/tables/channel-tables';
import { mapped, numbered } from '../archive/tables/organization-tables';
import { personalTables } from '../archive/tables/personal-tables';
import { OWN_TABLES, type OwnTable } from './own-tables';
import type { SeenChannels } from './seen-channels';

/** Data about the person besides messages: Zulip's tables, and the server's own tables with the prefix `parley_`. */
export function personTables(context: ExportContext, account: RawRow, channels: SeenChannels): NamedRows[] {
  const { db } = context;
  const id = Number(account.id);
  const own = (table: string, sql: string, keys = ['id']): NamedRows => [
    table,
    pagedRows(db, sql, keys, [id]),
  ];
  return [
    ['zerver_userprofile', [accountRow(context, account, false)]],
    own(
      'zerver_customprofilefieldvalue',
      `SELECT v.user_id AS user_profile, v.field_id AS field, f.name AS field_name, v.value, v.rendered_value
       FROM custom_profile_value v JOIN custom_profile_field f ON f.id = v.field_id WHERE v.user_id = ?`,
      ['field'],
    ),
    own(
      'zerver_usergroupmembership',
      `SELECT m.group_id AS user_group, g.name AS group_name, m.user_id AS user_profile
       FROM user_group_member m JOIN user_group g ON g.id = m.group_id WHERE m.user_id = ? AND g.name IS NOT NULL`,
      ['user_group'],
    ),
    [
      'zerver_stream',
      mapped(pagedRows(db, KNOWN_CHANNELS, ['id'], [id, id]), (raw) => seenChannelRow(raw, channels)),
    ],
    ['zerver_recipient', recipients(context, id)],
    [
      'zerver_subscription',
      numbered(
        pagedRows(
          db,
          `SELECT s.*, a.is_active AS is_user_active FROM subscription s JOIN account a ON a.id = s.user_id
           WHERE s.user_id = ?`,
          ['id'],
          [id],
        ),
        (raw) => subscriptionRow(raw, [RecipientType.channel, raw.channel_id ?? 0], raw),
      ),
    ],
    ['zerver_realmauditlog', numbered(subscriptionChanges(context), (row) => row)],
    own(
      'zerver_reaction',
      `SELECT id, user_id AS user_profile, message_id AS message, emoji_name, emoji_code, emoji_type AS reaction_type
       FROM reaction WHERE user_id = ?`,
    ),
    ...keptTables(context, channels),
    [
      'parley_message_flag',
      mapped(
        pagedRows(db, 'SELECT message_id, flags FROM message_flag WHERE user_id = ?', ['message_id'], [id]),
        ({ message_id: message, flags }) => ({ message, flags: flagNames(Number(flags)) }),
      ),
    ],
    ...OWN_TABLES.map((table) => ownRows(context, table, id)),
    own(
      'parley_action_of_others',
      // Where others acted from is private to them, and legal holds are not revealed to the people they cover.
      `SELECT id, created_at, action, target_id, details FROM audit_entry
       WHERE target_user_id = ? AND (actor_id IS NULL OR actor_id <> target_user_id) AND action NOT LIKE 'hold.%'`,
    ),
    ['zerver_client', context.clients.rows()],
  ];
}

/** Channels where the person is or was subscribed, or wrote something. */
const KNOWN_CHANNELS = `
  SELECT c.* FROM channel c
  WHERE EXISTS (SELECT 1 FROM subscription s WHERE s.channel_id = c.id AND s.user_id = ?)
    OR EXISTS (SELECT 1 FROM message m WHERE m.channel_id = c.id AND m.sender_id = ?)`;

function seenChannelRow(raw: RawRow, channels: SeenChannels): object {
  const id = Number(raw.id);
  if (channels.has(id)) return channelRow(raw);
  return { id, name: channels.nameOf({ id, name: '', is_private: Boolean(raw.is_private) }) };
}

async function* recipients({ db, scope }: ExportContext, id: number): AsyncIterable<object> {
  for await (const { id: channelId } of pagedRows(db, KNOWN_CHANNELS, ['id'], [id, id]))
    yield recipient(RecipientType.channel, Number(channelId));
  const { sql, values } = scope.conversations;
  const others = `
    SELECT c.id, COUNT(m.user_id) AS size, MIN(m.user_id) AS other_id FROM direct_conversation c
    LEFT JOIN direct_conversation_member m ON m.conversation_id = c.id AND m.user_id <> ? WHERE ${sql} GROUP BY c.id`;
  for await (const raw of pagedRows(db, others, ['id'], [id, ...values])) {
    yield Number(raw.size) < 2
      ? recipient(RecipientType.person, Number(raw.other_id ?? id))
      : recipient(RecipientType.group, Number(raw.id));
  }
}

function recipient(type: 1 | 2 | 3, typeId: number): object {
  return { id: recipientId(type, typeId), type, type_id: typeId };
}

/** Private data of people, as far as the person may have it. */
function keptTables(context: ExportContext, channels: SeenChannels): NamedRows[] {
  return personalTables(context)
    .filter(([name]) => !LEFT_OUT_OF_KEPT.has(name))
    .map(([name, rows]) => [name, name === 'zerver_usertopic' ? withSeenTopics(rows, channels) : rows]);
}

/** Configurations of bots contain keys of other services; all scheduled messages are among the server's own tables. */
const LEFT_OUT_OF_KEPT: ReadonlySet<string> = new Set(['zerver_botconfigdata', 'zerver_scheduledmessage']);

/** Removes the names of topics that the person can no longer see. */
async function* withSeenTopics(rows: Rows, channels: SeenChannels): AsyncIterable<object> {
  for await (const row of rows as AsyncIterable<RawRow>)
    yield channels.reads(Number(row.stream)) ? row : { ...row, topic_name: null };
}

function ownRows({ db }: ExportContext, { table, owner, ...options }: OwnTable, id: number): NamedRows {
  const { name = `parley_${table}`, keys = ['id'], columns } = options;
  const rows = pagedRows(db, `SELECT * FROM ${table} WHERE ${owner} = ?`, keys, [id]);
  return [name, mapped(rows, (raw) => picked(raw, columns))];
}

/** Converts booleans, which are numbers on SQLite. */
function picked(raw: RawRow, columns: readonly string[]): object {
  return Object.fromEntries(
    columns.map((column) => {
      const value = raw[column] ?? null;
      return [column, BOOLEAN.test(column) && value !== null ? Boolean(value) : value];
    }),
  );
}

const BOOLEAN = /^(is|has|with|notifies)_/;
