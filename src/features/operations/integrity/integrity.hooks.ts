import { defineHook } from '../../../platform/hooks/hook';
import type { Invariant } from './invariants/invariant';

/** Collects further invariants of the database, such as those of modules. */
export const invariantsSought = defineHook<[], Invariant>('invariantsSought');
