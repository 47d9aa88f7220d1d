import { defineEvent } from 'parley/module';
import type { Rotation } from './rotation.entity';

/** A rotation, as clients see it. */
export interface RotationRecord {
  readonly id: number;
  readonly group_id: number;
  readonly calendar: string;
  readonly on_call: readonly number[];
  /** UNIX seconds; null where nothing is known of the next turn. */
  readonly until: number | null;
  readonly problem: string | null;
}

/** A rotation was set up, or others are on call. */
export const rotationChanged = defineEvent<{ rotation: RotationRecord }>('module_oncall', 'update');

/** A rotation was given up. */
export const rotationRemoved = defineEvent<{ rotation_id: number }>('module_oncall', 'remove');

/** The record of a rotation. */
export function recordOf({ id, groupId, calendar, onCall, until, problem }: Rotation): RotationRecord {
  return {
    id,
    group_id: groupId,
    calendar,
    on_call: JSON.parse(onCall) as number[],
    until: until === null ? null : Number(until),
    problem,
  };
}
