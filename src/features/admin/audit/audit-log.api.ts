import type { Way } from '../../../platform/actor';
import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditEntry, type AuditQuestion } from '../../audit/audit.module';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { PageQuery } from '../../../platform/http/companion/paging';
import { IntegerText, Optional } from '../../../platform/http/companion/valid-input';

/** An entry of the audit log. */
export interface AuditRecord {
  readonly id: number;
  /** UNIX seconds. */
  readonly created_at: number;
  /**
   * Where the request came from: the `main` or the `companion` interface, the `directory` of a company (SCIM), a
   * `command`, or the `server` itself.
   */
  readonly way: Way;
  /** IP address of the client; empty for commands and the server, and for deleted people. */
  readonly address: string;
  /** Name of the client program; empty for deleted people. */
  readonly client: string;
  /** Account that acted; null for the operator, for the server itself, and for people who are not signed in. */
  readonly actor_id: number | null;
  /** Current name of the account that acted. */
  readonly actor_name: string | null;
  /** The kind of object, and what was done to it. */
  readonly action: string;
  /** Affected account. */
  readonly target_user_id: number | null;
  /** Current name of the affected account. */
  readonly target_user_name: string | null;
  /** Affected object, of the kind in the action. */
  readonly target_id: number | null;
  /** Details that depend on the action, such as previous and new values. */
  readonly details: AuditValues;
}

type Plain = string | number | boolean | null;
type PlainOrList = Plain | readonly Plain[];

interface Values<Value> {
  readonly [name: string]: Value;
}

/** Values by name: single ones, lists, groups, and previous and new values. */
type AuditValues = Values<PlainOrList | Values<PlainOrList | Values<PlainOrList>>>;

/** @param nameOf returns the current name of an account */
export function auditRecord(entry: AuditEntry, nameOf: (userId: number) => string | null): AuditRecord {
  const { actorId, targetUserId } = entry;
  return {
    id: entry.id,
    created_at: entry.createdAt,
    way: entry.way,
    address: entry.address,
    client: entry.clientName,
    actor_id: actorId,
    actor_name: actorId === null ? null : nameOf(actorId),
    action: entry.action,
    target_user_id: targetUserId,
    target_user_name: targetUserId === null ? null : nameOf(targetUserId),
    target_id: entry.targetId,
    details: JSON.parse(entry.details) as AuditValues,
  };
}

const MAX_ID = 2 ** 31 - 1;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

const NAMES: readonly string[] = [...AUDIT_AREAS, ...AUDIT_ACTIONS];

/** Query of `GET /api/auth/audit-log`. */
export class AuditLogQuery extends PageQuery {
  /** Only actions by this account. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) actor_id?: number;
  /** Only actions on this account. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) target_user_id?: number;
  /** Only actions on this object, of the kind in `action`. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) target_id?: number;
  /** Only this action, such as `user.created`, or all actions on one kind of object, such as `channel`. */
  @Optional() @IsIn(NAMES) action?: string;
  /** Only entries at or after this time. UNIX seconds. */
  @Optional() @IntegerText() @Min(0) @Max(MAX_SECONDS) since?: number;
  /** Only entries before this time. UNIX seconds. */
  @Optional() @IntegerText() @Min(0) @Max(MAX_SECONDS) until?: number;
  /** Sort order; oldest first by default. */
  @Optional() @IsIn(['oldest', 'newest']) order?: 'oldest' | 'newest';
}

/** Converts the query parameters. */
export function toAuditQuestion(query: AuditLogQuery): AuditQuestion {
  return {
    actorId: query.actor_id,
    targetUserId: query.target_user_id,
    targetId: query.target_id,
    action: query.action,
    since: query.since,
    until: query.until,
    isNewestFirst: query.order === 'newest',
  };
}

/** Maximum number of entries that the command shows. */
const MOST_ENTRIES = 1000;

const text = (name: string) => IsString({ message: `${name} must be a text.` });
const moment = (name: string) => IsInt({ message: `${name} must be a time in UNIX seconds.` });

/** Input of `audit`. */
export class AuditInput {
  /** Address or ID. */
  @IsOptional() @text('The actor') actor?: string;
  /** Address or ID. */
  @IsOptional() @text('The account') user?: string;
  @IsOptional()
  @IsIn(NAMES, { message: `The action must be one of ${NAMES.join(', ')}.` })
  action?: string;
  /** UNIX seconds. */
  @IsOptional() @moment('since') since?: number;
  /** UNIX seconds. */
  @IsOptional() @moment('until') until?: number;
  /** Number of newest entries to show. */
  @IsInt({ message: 'The number of entries must be a whole number.' })
  @Min(1, { message: 'The number of entries must be 1 or more.' })
  @Max(MOST_ENTRIES, { message: `No more than ${MOST_ENTRIES} entries are shown: name a time with --until.` })
  limit!: number;
}
