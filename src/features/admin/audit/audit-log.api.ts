import type { Way } from '../../../platform/actor';
import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditEntry, type AuditQuestion } from '../../audit/audit.module';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { PageQuery } from '../../../platform/http/companion/paging';
import { IntegerText, Optional } from '../../../platform/http/companion/valid-input';

/** Something that was done. */
export interface AuditRecord {
  readonly id: number;
  /** UNIX seconds. */
  readonly created_at: number;
  /**
   * How the order came: over the `main` or the `companion` interface, from the `directory` of a company (SCIM), by a
   * `command`, or from the `server` itself.
   */
  readonly way: Way;
  /** IP address of the client; empty for commands and the server, and for deleted people. */
  readonly address: string;
  /** Name of the client program; empty for deleted people. */
  readonly client: string;
  /** Account that did it; null for the operator, for the server itself, and for people who are not signed in. */
  readonly actor_id: number | null;
  /** Its name as of now. */
  readonly actor_name: string | null;
  /** The kind of thing it was done to, and what was done. */
  readonly action: string;
  /** Account to which it was done. */
  readonly target_user_id: number | null;
  /** Its name as of now. */
  readonly target_user_name: string | null;
  /** What it was done to, of the kind that the action says. */
  readonly target_id: number | null;
  /** What belongs to the action, such as the values before and after it. */
  readonly details: AuditValues;
}

type Plain = string | number | boolean | null;
type PlainOrList = Plain | readonly Plain[];

interface Values<Value> {
  readonly [name: string]: Value;
}

/** Values by their names: plain ones, lists, groups, and what was there before and after. */
type AuditValues = Values<PlainOrList | Values<PlainOrList | Values<PlainOrList>>>;

/** @param nameOf the name of an account as of now */
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
  /** Only what this account did. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) actor_id?: number;
  /** Only what was done to this account. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) target_user_id?: number;
  /** Only what was done to this thing, of the kind that `action` names. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_ID) target_id?: number;
  /** Only this action, such as `user.created`, or all that was done to a kind of thing, such as `channel`. */
  @Optional() @IsIn(NAMES) action?: string;
  /** Only what was done at this moment or later. UNIX seconds. */
  @Optional() @IntegerText() @Min(0) @Max(MAX_SECONDS) since?: number;
  /** Only what was done before this moment. UNIX seconds. */
  @Optional() @IntegerText() @Min(0) @Max(MAX_SECONDS) until?: number;
  /** Which entries come first; the oldest if omitted. */
  @Optional() @IsIn(['oldest', 'newest']) order?: 'oldest' | 'newest';
}

/** Converts the query to a question. */
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

/** Most entries that the command shows. */
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
  /** How many of the newest entries. */
  @IsInt({ message: 'The number of entries must be a whole number.' })
  @Min(1, { message: 'The number of entries must be 1 or more.' })
  @Max(MOST_ENTRIES, { message: `No more than ${MOST_ENTRIES} entries are shown: name a time with --until.` })
  limit!: number;
}
