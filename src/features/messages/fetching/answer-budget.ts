import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters that the messages of one answer may have, about. Answers are made in memory, as one text. */
const MAX_LENGTH = 8 * 2 ** 20;

/** Milliseconds of work after which others have their turn. */
const TURN_MS = 20;

/** Messages to read from the database at a time, unless they have too much attached to them. */
export const MESSAGES_AT_A_TIME = 250;

/** Bounds what one answer with messages holds, and how long it is worked on at a stretch. */
export class AnswerBudget {
  /** Messages to read at a time. */
  messagesAtATime = MESSAGES_AT_A_TIME;
  private length = 0;
  private turnBegan = performance.now();

  get isSpent(): boolean {
    return this.length > MAX_LENGTH;
  }

  /** Counts a part of the answer by its length. */
  spend(characters: number): void {
    this.length += characters;
  }

  /** Whether it is time for others to have theirs. */
  get isTurnOver(): boolean {
    return performance.now() - this.turnBegan >= TURN_MS;
  }

  async endTurn(): Promise<void> {
    await nextTurn();
    this.turnBegan = performance.now();
  }
}
