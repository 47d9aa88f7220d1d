import { BotType, Role } from '../../../../platform/actor';
import { emailKey } from '../../../users/users.module';
import { byQuery, byRows, type Invariant } from './invariant';

interface AccountRow {
  readonly id: number;
  readonly email: string;
}

const account = ({ id, email }: AccountRow) => `Account ${id} (${email})`;
const ACCOUNT = 'a.id, a.delivery_email AS email';

/** Invariants of people and bots. */
/** What the uploads of each owner take, with the smaller versions of pictures. */
const TAKEN = `SELECT a.owner_id, SUM(a.size + COALESCE(p.bytes, 0)) AS bytes
  FROM attachment a LEFT JOIN attachment_picture p ON p.attachment_id = a.id GROUP BY a.owner_id`;

export const accountInvariants: readonly Invariant[] = [
  byQuery(
    'last-owner',
    'There is an active person who is an owner.',
    `SELECT 1 AS missing WHERE EXISTS (SELECT 1 FROM account) AND NOT EXISTS
       (SELECT 1 FROM account WHERE role = ${Role.owner} AND is_active AND NOT is_bot)`,
    () => 'No active user is an owner.',
  ),
  byQuery<AccountRow & { role: number }>(
    'roles',
    'Every account has one of the roles there are.',
    `SELECT ${ACCOUNT}, role FROM account a WHERE role NOT IN (${Object.values(Role).join(', ')})`,
    (row) => `${account(row)} has the role ${row.role}.`,
  ),
  byRows<AccountRow & { key: string }>(
    'account-addresses',
    'The form of an address that must be unique belongs to the address.',
    `SELECT ${ACCOUNT}, a.email_key AS key FROM account a`,
    (row) => (row.key === emailKey(row.email) ? null : `${account(row)} is kept under "${row.key}".`),
  ),
  byQuery<AccountRow>(
    'bots',
    'Bots have a kind and no password, and people own them; people have neither kind nor owner.',
    `SELECT ${ACCOUNT} FROM account a LEFT JOIN account o ON o.id = a.bot_owner_id
     WHERE (a.is_bot AND (a.bot_type IS NULL OR a.password_hash IS NOT NULL OR o.is_bot))
       OR (NOT a.is_bot AND (a.bot_type IS NOT NULL OR a.bot_owner_id IS NOT NULL))`,
    (row) => `${account(row)} is neither a bot nor a person.`,
  ),
  byQuery<AccountRow>(
    'bot-services',
    'Bots with an outgoing webhook have an address to call, and only they.',
    `SELECT ${ACCOUNT} FROM account a LEFT JOIN bot_service s ON s.bot_id = a.id
     WHERE (s.bot_id IS NOT NULL) <> (COALESCE(a.bot_type, 0) = ${BotType.outgoingWebhook})`,
    (row) => `${account(row)} has the webhook of another kind of account, or lacks its own.`,
  ),
  byQuery<AccountRow>(
    'tombstones',
    'Deleted accounts are not active, and nothing of theirs is left to sign in with or to receive by.',
    `SELECT ${ACCOUNT} FROM account a WHERE a.is_deleted AND (a.is_active OR a.password_hash IS NOT NULL
       OR EXISTS (SELECT 1 FROM subscription s WHERE s.user_id = a.id)
       OR EXISTS (SELECT 1 FROM user_group_member m WHERE m.user_id = a.id)
       OR EXISTS (SELECT 1 FROM login_session l WHERE l.user_id = a.id)
       OR EXISTS (SELECT 1 FROM event_queue q WHERE q.user_id = a.id))`,
    (row) => `${account(row)} is deleted, and yet something of it is left.`,
  ),
  byQuery<AccountRow>(
    'login-sessions',
    'Only active people are signed in to the companion interface.',
    `SELECT DISTINCT ${ACCOUNT} FROM login_session l JOIN account a ON a.id = l.user_id
     WHERE a.is_bot OR NOT a.is_active`,
    (row) => `${account(row)} has a session.`,
  ),
  byQuery<{ id: number }>(
    'invitations',
    'An invitation names the address of one person while it is open, and never any other; who came with it is known of used ones alone.',
    `SELECT id FROM invitation WHERE (email <> '') <> (state = 'open' AND NOT is_multiuse)
       OR (ended_at IS NULL) <> (state = 'open') OR (used_by_id IS NOT NULL AND state <> 'used')`,
    ({ id }) => `What is known of invitation ${id} does not fit what became of it.`,
  ),
  byQuery<{ user_id: number }>(
    'muted-users',
    'No user mutes themselves.',
    'SELECT user_id FROM muted_user WHERE user_id = muted_user_id',
    (row) => `Account ${row.user_id} mutes itself.`,
  ),
  byQuery<{ id: number; bytes: number }>(
    'upload-space',
    'What uploads take is counted, for each account and for all together.',
    `SELECT a.id, COALESCE(f.bytes, 0) AS bytes FROM account a LEFT JOIN upload_space s ON s.user_id = a.id
       LEFT JOIN (${TAKEN}) f ON f.owner_id = a.id
       WHERE COALESCE(s.bytes, 0) <> COALESCE(f.bytes, 0)
     UNION ALL SELECT 0, f.bytes FROM (SELECT COALESCE(SUM(bytes), 0) AS bytes FROM (${TAKEN}) each_owner) f
       WHERE f.bytes <> COALESCE((SELECT CAST(value AS bigint) FROM server_state WHERE key = 'upload_space_used'), 0)`,
    ({ id, bytes }) =>
      id === 0 ? `All uploads take ${bytes} bytes.` : `The uploads of account ${id} take ${bytes} bytes.`,
  ),
];
