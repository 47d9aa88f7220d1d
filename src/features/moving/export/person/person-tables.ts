import { type ExportContext, recipientId, RecipientType } from '../archive/export-context';
import { type NamedRows, pagedRows, type RawRow } from '../archive/row-files';
import { accountRow } from '../archive/tables/account-tables';
import { channelRow, subscriptionChanges, subscriptionRow } from '../archive/tables/channel-tables';
import { mapped, numbered } from '../archive/tables/organization-tables';
import { personalTables } from '../archive/tables/personal-tables';

/** Columns of own tables that are secrets, or make one together with the secret of the server. */
const SECRETS: ReadonlySet<string> = new Set([
  'nonce',
  'token_id',
  'sealed_id_token',
  'token',
  'digest',
  'push_key',
  'sealed_registration',
  'endpoint',
  'endpoint_hash',
  'auth',
  'file_key',
]);

/** Tables that Zulip does not have, or that archives leave out; each with the column that names the person. */
const OWN_TABLES: readonly (readonly [table: string, column: string])[] = [
  ['draft', 'user_id'],
  ['reminder', 'user_id'],
  ['navigation_view', 'user_id'],
  ['invitation', 'inviter_id'],
  ['organization_export', 'requester_id'],
  ['login_session', 'user_id'],
  ['named_key', 'user_id'],
  ['known_device', 'user_id'],
  ['client_device', 'user_id'],
  ['push_registration', 'user_id'],
  ['web_push_subscription', 'user_id'],
  ['account_identity', 'user_id'],
];

/** What the server stores about the person beside messages: in Zulip's tables, and under `parley_` in its own. */
export function personTables(context: ExportContext, account: RawRow): NamedRows[] {
  const { db } = context;
  const id = Number(account.id);
  const own = (table: string, sql: string, keys = ['id']): NamedRows => [
    table,
    mapped(pagedRows(db, sql, keys, [id]), withoutSecrets),
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
    ['zerver_stream', mapped(pagedRows(db, KNOWN_CHANNELS, ['id'], [id, id]), channelRow)],
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
    own('zerver_userpresence', 'SELECT * FROM presence WHERE user_id = ?', ['user_id']),
    ...personalTables(context),
    own(
      'parley_bot',
      'SELECT id, full_name, delivery_email, is_active, date_joined FROM account WHERE bot_owner_id = ?',
    ),
    own('parley_submessage', 'SELECT id, message_id, msg_type, content FROM submessage WHERE sender_id = ?'),
    own(
      'parley_edit',
      'SELECT id, message_id, edited_at, prev_content, prev_topic FROM message_edit WHERE user_id = ?',
    ),
    ...OWN_TABLES.map(([table, column]) =>
      own(`parley_${table}`, `SELECT * FROM ${table} WHERE ${column} = ?`),
    ),
    own('parley_action', 'SELECT * FROM audit_entry WHERE actor_id = ?'),
    own(
      'parley_action_of_others',
      // Where others were when they did it is their own business.
      `SELECT id, created_at, action, target_id, details FROM audit_entry
       WHERE target_user_id = ? AND (actor_id IS NULL OR actor_id <> target_user_id)`,
    ),
    ['zerver_client', clients(context)],
  ];
}

/** Where the person is or was subscribed, or wrote something. */
const KNOWN_CHANNELS = `
  SELECT c.* FROM channel c
  WHERE EXISTS (SELECT 1 FROM subscription s WHERE s.channel_id = c.id AND s.user_id = ?)
    OR EXISTS (SELECT 1 FROM message m WHERE m.channel_id = c.id AND m.sender_id = ?)`;

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

/** Booleans are numbers on SQLite. */
function withoutSecrets(raw: RawRow): object {
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([column]) => !SECRETS.has(column))
      .map(([column, value]) => [column, BOOLEAN.test(column) && value !== null ? Boolean(value) : value]),
  );
}

const BOOLEAN = /^(is|has|with|notifies)_/;

/** Not before all that names a program is written. */
async function* clients(context: ExportContext): AsyncIterable<object> {
  yield* context.clients.rows();
}
