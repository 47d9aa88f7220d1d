import type { StreamParser } from '@codemirror/streamparser';

interface SessionState {
  /** Whether the line is one that a person typed. */
  typed: boolean;
  readonly inside: unknown;
}

/** What people see in a terminal: lines that they typed after a prompt, and what came out. */
export function sessionGrammar(prompt: RegExp, typed: Grammar): Grammar {
  return {
    startState: (indentUnit): SessionState => ({
      typed: false,
      inside: typed.startState?.(indentUnit) ?? {},
    }),
    token(line, given) {
      const state = given as SessionState;
      if (line.sol()) {
        state.typed = Boolean(line.match(prompt));
        if (state.typed && line.pos > 0) return 'prompt';
      }
      if (state.typed) return typed.token(line, state.inside);
      line.skipToEnd();
      return 'output';
    },
  };
}

/** Reads a language line by line, token by token, and says of what style each is. */
export type Grammar = Pick<StreamParser<unknown>, 'token' | 'startState' | 'blankLine'>;
