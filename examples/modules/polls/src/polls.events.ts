import { defineEvent } from 'parley/module';

/** A poll, as clients see it. */
export interface PollRecord {
  readonly id: number;
  readonly message_id: number;
  readonly creator_id: number;
  readonly question: string;
  /** UNIX seconds. */
  readonly closes_at: number;
  readonly is_closed: boolean;
  readonly options: readonly {
    readonly emoji: string;
    readonly text: string;
    /** Null until the poll is closed: before, the reactions say. */
    readonly votes: number | null;
  }[];
}

/** A poll was opened. */
export const pollOpened = defineEvent<{ poll: PollRecord }>('module_polls', 'open');

/** A poll was closed. */
export const pollClosed = defineEvent<{ poll: PollRecord }>('module_polls', 'close');
