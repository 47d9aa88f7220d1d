import { createInterface } from 'node:readline/promises';
import { CommandRefused } from '../platform/operator/operator-commands';

/**
 * Asks the operator to confirm an irreversible action.
 * @param what happens, as a sentence
 * @param word to type
 * @param meaning of the word
 * @throws CommandRefused unless the operator types the word at the terminal
 */
export async function confirm(what: string, word: string, meaning: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandRefused(`${what} Use --yes to confirm.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${what} Type the ${meaning} to continue: `);
  lines.close();
  if (answer.trim() !== word) throw new CommandRefused('Canceled. Nothing was changed.');
}
