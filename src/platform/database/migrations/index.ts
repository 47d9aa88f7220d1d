import { Platform1700000000000 } from './0000-platform.migration';
import { Initial1700000000001 } from './0001-initial.migration';
import { Reactions1700000000002 } from './0002-reactions.migration';

/** Every migration, oldest first. */
export const migrations = [Platform1700000000000, Initial1700000000001, Reactions1700000000002];
