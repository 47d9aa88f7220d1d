import { readState, writeState } from '../database/server-state';
import type { SqlRunner } from '../sql/queryable';

/**
 * A restored database still has the mails, calls and answers that the original was about to send. So nothing of it leaves
 * the machine until its operator has said that this is the one to go on with.
 */
const STATE_KEY = 'quarantine';

/** What is stored while there is no quarantine, where there was one. */
const LIFTED = '';

/** Why nothing leaves the machine; null where everything may. */
export async function readQuarantine(db: SqlRunner): Promise<string | null> {
  return (await readState(db, STATE_KEY)) || null;
}

/** Takes effect with the next start. @param reason completes the sentence "... because ..." */
export async function beginQuarantine(tx: SqlRunner, reason: string): Promise<void> {
  await writeState(tx, STATE_KEY, reason);
}

/** Nodes notice by themselves, some seconds later. */
export async function endQuarantine(tx: SqlRunner): Promise<void> {
  await writeState(tx, STATE_KEY, LIFTED);
}
