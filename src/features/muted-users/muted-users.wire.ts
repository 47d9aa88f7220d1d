/** A muted person and when that was, in UNIX seconds. */
export interface MutedUserWire {
  readonly id: number;
  readonly timestamp: number;
}

/** @param muted times by person */
export function mutedUsersWire(muted: ReadonlyMap<number, number>): MutedUserWire[] {
  return [...muted].map(([id, timestamp]) => ({ id, timestamp }));
}
