import type { Way } from '../../../platform/actor';
import type { AuditEntry } from '../../audit';

/** Something that was done. */
export interface AuditRecord {
  readonly id: number;
  /** UNIX seconds. */
  readonly created_at: number;
  /** How the order came: over the `main` or the `companion` interface, by a `command`, or from the `server` itself. */
  readonly way: Way;
  /** IP address of the client; empty for what did not come over the network, and for people deleted for good. */
  readonly address: string;
  /** Name of the client program; empty for people deleted for good. */
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
