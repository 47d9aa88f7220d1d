import type { StreamParser } from '@codemirror/streamparser';

/** Reads a language line by line, token by token, and says of what style each is. */
export type Grammar = Pick<StreamParser<unknown>, 'token' | 'startState' | 'blankLine'>;
