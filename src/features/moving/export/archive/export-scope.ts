import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../../../platform/sql/queryable';

/** Whose messages and settings an archive holds. */
export type ExportContent = 'public' | 'with consent' | 'everything';

/** A condition of SQL, with the values of its placeholders. */
interface ScopeCondition {
  readonly sql: string;
  readonly values: readonly boolean[];
}

/** A person lets administrators export private data by a setting, which is a key of a JSON object. */
const CONSENT = `LIKE '%"allow_private_data_export":true%'`;

/** Everybody who consents: people by themselves, bots by themselves or through their owners. */
const CONSENTING = `
  SELECT a.id FROM account a LEFT JOIN account o ON o.id = a.bot_owner_id
  WHERE a.settings ${CONSENT} OR (a.is_bot = ? AND o.settings ${CONSENT})`;

const IN_PUBLIC_CHANNEL = 'm.channel_id IN (SELECT id FROM channel WHERE is_private = ?)';

/**
 * What people who consent can see beside: channels with a shared history that one of them is in, of protected history
 * what one of them received or has a row for, and conversations that one of them is in.
 */
const SEEN_BY_CONSENTING = `
  m.channel_id IN (
    SELECT s.channel_id FROM subscription s JOIN channel c ON c.id = s.channel_id
    WHERE s.is_active = ? AND c.is_history_public_to_subscribers = ? AND s.user_id IN (${CONSENTING}))
  OR m.conversation_id IN (
    SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id IN (${CONSENTING}))
  OR EXISTS (
    SELECT 1 FROM subscription_period p
    WHERE p.channel_id = COALESCE(m.sent_channel_id, m.channel_id) AND p.first_message_id <= m.id
      AND (p.last_message_id IS NULL OR p.last_message_id >= m.id) AND p.user_id IN (${CONSENTING}))
  OR EXISTS (SELECT 1 FROM message_flag f WHERE f.message_id = m.id AND f.user_id IN (${CONSENTING}))`;

/** Decides what of the database goes into an archive. */
export class ExportScope {
  private readonly salt = randomBytes(16);

  private constructor(
    readonly content: ExportContent,
    /** IDs of users who consent; empty if consent was not requested. */
    readonly consenting: ReadonlySet<number>,
  ) {}

  /** @param db the view that is exported */
  static async of(db: Queryable, content: ExportContent): Promise<ExportScope> {
    if (content !== 'with consent') return new ExportScope(content, new Set());
    const rows = await db.query<{ id: number }>(CONSENTING, [true]);
    return new ExportScope(content, new Set(rows.map(({ id }) => id)));
  }

  /** What is true of a message `m` that belongs into the archive. */
  get messages(): ScopeCondition {
    if (this.content === 'everything') return { sql: '1 = 1', values: [] };
    if (this.content === 'public') return { sql: IN_PUBLIC_CHANNEL, values: [false] };
    return {
      sql: `(${IN_PUBLIC_CHANNEL} OR ${SEEN_BY_CONSENTING})`,
      values: [false, true, true, true, true, true, true],
    };
  }

  /** What is true of a conversation `c` of more than two whose existence the archive may tell. */
  get conversations(): ScopeCondition {
    if (this.content === 'everything') return { sql: '1 = 1', values: [] };
    if (this.content === 'public') return { sql: '1 = 0', values: [] };
    return {
      sql: `c.id IN (
        SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id IN (${CONSENTING}))`,
      values: [true],
    };
  }

  /** Whether the archive has what the account keeps for itself, such as its settings of channels. */
  hasPersonal(userId: number): boolean {
    return this.content === 'everything' || this.consenting.has(userId);
  }

  /** Whether the archive has what the account did with messages: whether it read them, for example. */
  hasFlags(userId: number): boolean {
    return this.content === 'public' || this.hasPersonal(userId);
  }

  /** Placeholder for an account whose address is hidden; stable within one archive. */
  hiddenName(userId: number): string {
    const digest = createHash('sha256').update(this.salt).update(String(userId)).digest('hex');
    return `exported-user-${digest.slice(0, 32)}`;
  }
}
