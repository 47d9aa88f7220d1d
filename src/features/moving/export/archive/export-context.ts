import { createHash, randomBytes } from 'node:crypto';
import type { Queryable, SqlValue } from '../../../../platform/sql/queryable';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
  ORGANIZATION_SETTING_DEFAULTS,
  type OrganizationGroupSetting,
  type OrganizationSettings,
} from '../../../organization-settings/organization-settings.module';

/** Whose messages and settings an archive of the organization contains. */
export type ExportContent = 'public' | 'with consent' | 'everything';

/** An SQL condition with the values of its placeholders. */
interface ScopeCondition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Users allow administrators to export private data with a setting, stored as a key of a JSON object. */
const CONSENT = `LIKE '%"allow_private_data_export":true%'`;

/** Everyone who consents: people by their own setting, bots by their own or their owner's. */
const CONSENTING = `
  SELECT a.id FROM account a LEFT JOIN account o ON o.id = a.bot_owner_id
  WHERE a.settings ${CONSENT} OR (a.is_bot = ? AND o.settings ${CONSENT})`;

/** Conversations of one person, and those of consenting users. */
const OWN_CONVERSATIONS = 'SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id = ?';
const CONSENTING_CONVERSATIONS = `
  SELECT d.conversation_id FROM direct_conversation_member d WHERE d.user_id IN (${CONSENTING})`;

const IN_PUBLIC_CHANNEL = 'm.channel_id IN (SELECT id FROM channel WHERE is_private = ?)';

/**
 * What consenting users can see besides public channels: channels with shared history that one of them is in; in
 * channels with protected history, messages that one of them received or has a row for; and conversations that one of
 * them is in.
 */
const SEEN_BY_CONSENTING = `
  m.channel_id IN (
    SELECT s.channel_id FROM subscription s JOIN channel c ON c.id = s.channel_id
    WHERE s.is_active = ? AND c.is_history_public_to_subscribers = ? AND s.user_id IN (${CONSENTING}))
  OR m.conversation_id IN (${CONSENTING_CONVERSATIONS})
  OR EXISTS (
    SELECT 1 FROM subscription_period p
    WHERE p.channel_id = COALESCE(m.sent_channel_id, m.channel_id) AND p.first_message_id <= m.id
      AND (p.last_message_id IS NULL OR p.last_message_id >= m.id) AND p.user_id IN (${CONSENTING}))
  OR EXISTS (SELECT 1 FROM message_flag f WHERE f.message_id = m.id AND f.user_id IN (${CONSENTING}))`;

/** Decides which data an archive contains. */
export class ExportScope {
  private readonly salt = randomBytes(16);

  private constructor(
    readonly content: ExportContent | 'one person',
    /** IDs of users who consent; empty if consent was not requested. */
    readonly consenting: ReadonlySet<number>,
    /** The only person whose data the archive contains; null for the whole organization. */
    readonly personId: number | null = null,
  ) {}

  /** Messages that one person sent, direct messages that they can read, and what the server stores about them. */
  static ofPerson(personId: number): ExportScope {
    return new ExportScope('one person', new Set(), personId);
  }

  /** @param db the exported snapshot */
  static async of(db: Queryable, content: ExportContent): Promise<ExportScope> {
    if (content !== 'with consent') return new ExportScope(content, new Set());
    const rows = await db.query<{ id: number }>(CONSENTING, [true]);
    return new ExportScope(content, new Set(rows.map(({ id }) => id)));
  }

  /** Condition for messages `m` that the archive contains. */
  get messages(): ScopeCondition {
    if (this.content === 'everything') return { sql: '1 = 1', values: [] };
    if (this.content === 'public') return { sql: IN_PUBLIC_CHANNEL, values: [false] };
    if (this.personId !== null) {
      return {
        sql: `(m.sender_id = ? OR m.conversation_id IN (${OWN_CONVERSATIONS}))`,
        values: [this.personId, this.personId],
      };
    }
    return {
      sql: `(${IN_PUBLIC_CHANNEL} OR ${SEEN_BY_CONSENTING})`,
      values: [false, true, true, true, true, true, true],
    };
  }

  /** Condition for group conversations `c` whose existence the archive may reveal. */
  get conversations(): ScopeCondition {
    if (this.content === 'everything') return { sql: '1 = 1', values: [] };
    if (this.content === 'public') return { sql: '1 = 0', values: [] };
    if (this.personId !== null) {
      return { sql: `c.id IN (${OWN_CONVERSATIONS})`, values: [this.personId] };
    }
    return { sql: `c.id IN (${CONSENTING_CONVERSATIONS})`, values: [true] };
  }

  /** Whether the archive includes an account's private data, such as its settings of channels. */
  hasPersonal(userId: number): boolean {
    return this.content === 'everything' || this.consenting.has(userId) || userId === this.personId;
  }

  /** Limits a query with a column `user_id` to the exported person, if the archive is limited to one. */
  own(sql: string): ScopeCondition {
    if (this.personId === null) return { sql, values: [] };
    return { sql: `SELECT * FROM (${sql}) o WHERE o.user_id = ?`, values: [this.personId] };
  }

  /** Whether the archive includes an account's message flags, such as whether it read a message. */
  hasFlags(userId: number): boolean {
    return this.content === 'public' || this.hasPersonal(userId);
  }

  /** Placeholder name for an account whose address is hidden; stable within one archive. */
  hiddenName(userId: number): string {
    const digest = createHash('sha256').update(this.salt).update(String(userId)).digest('hex');
    return `exported-user-${digest.slice(0, 32)}`;
  }
}

/** ID of the only organization in the archive. */
export const REALM = 1;

/** Recipient types by their numbers in the archive. */
export const RecipientType = { person: 1, channel: 2, group: 3 } as const;

/** Values of a message's `type`. */
export const MessageType = { ordinary: 1, resolutionNotice: 2 } as const;

/** Returns the ID of a recipient. The archive needs one; the database has none. */
export function recipientId(type: 1 | 2 | 3, typeId: number): number {
  return typeId * 3 + type - 1;
}

/** Assigns IDs to the client programs that an archive names. */
class ClientNumbers {
  private readonly numbers = new Map<string, number>();

  /** Clients choose their own names, so the number of distinct ones is limited. */
  numberOf(name: string): number {
    const kept = this.numbers.has(name) || this.numbers.size < MOST_CLIENTS ? name : OTHER_CLIENT;
    const number = this.numbers.get(kept) ?? this.numbers.size + 1;
    this.numbers.set(kept, number);
    return number;
  }

  /** The clients named before the first row is read, ascending by ID. */
  *rows(): Iterable<{ id: number; name: string }> {
    for (const [name, id] of this.numbers) yield { id, name };
  }
}

const MOST_CLIENTS = 10_000;
const OTHER_CLIENT = 'Unspecified';

/** Shared state of everything that writes a part of an archive. */
export class ExportContext {
  readonly clients = new ClientNumbers();

  private constructor(
    /** The exported snapshot. */
    readonly db: Queryable,
    readonly scope: ExportScope,
    /** Domain of placeholder addresses. */
    readonly emailDomain: string,
    private readonly stored: Readonly<Record<string, unknown>>,
    private readonly systemGroups: ReadonlyMap<string, number>,
  ) {}

  static async of(db: Queryable, scope: ExportScope, emailDomain: string): Promise<ExportContext> {
    const settings = await db.query<{ name: string; value: string }>(
      'SELECT name, value FROM organization_setting',
    );
    const groups = await db.query<{ id: number; name: string }>(
      'SELECT id, name FROM user_group WHERE is_system = ?',
      [true],
    );
    const stored = Object.fromEntries(
      settings.map(({ name, value }) => [name, JSON.parse(value) as unknown]),
    );
    return new ExportContext(
      db,
      scope,
      emailDomain,
      stored,
      new Map(groups.map(({ id, name }) => [name, id])),
    );
  }

  /** Settings of the organization in the snapshot. */
  get settings(): OrganizationSettings {
    return { ...ORGANIZATION_SETTING_DEFAULTS, ...this.stored };
  }

  /** The group that holds each permission in the organization. */
  get permissions(): Record<OrganizationGroupSetting, number> {
    const values = ORGANIZATION_GROUP_SETTING_NAMES.map((name) => [
      name,
      (this.stored[name] as number | undefined) ??
        this.systemGroup(ORGANIZATION_GROUP_SETTINGS[name].default),
    ]);
    return Object.fromEntries(values) as Record<OrganizationGroupSetting, number>;
  }

  systemGroup(name: string): number {
    const id = this.systemGroups.get(name);
    if (id === undefined) throw new Error(`The system group ${name} does not exist.`);
    return id;
  }
}

/** Contents of an archive, as the API names them. */
export const EXPORT_TYPES = ['public', 'full_with_consent', 'full_without_consent'] as const;

/** One of {@link EXPORT_TYPES}. */
export type ExportTypeName = (typeof EXPORT_TYPES)[number];
