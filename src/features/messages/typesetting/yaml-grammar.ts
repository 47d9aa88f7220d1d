import type { StringStream } from '@codemirror/streamparser';
import type { Grammar } from './session-grammar';

interface YamlState {
  /** How far the key is indented whose value is a text of several lines. */
  literal: number | null;
}

const KEY = /^(?:[^\s#"'[\]{},&*!|>%@`:-]|-[^\s#:,[\]{}])[^#:,[\]{}]*(?=:(?:\s|$))/;
const QUOTED_KEY = /^(?:"[^"]*"|'[^']*')(?=:(?:\s|$))/;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/;
const NUMBER = /^[-+]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
const CONSTANT = /^(?:true|false|null|yes|no|on|off|~)$/i;

/** YAML. */
export const yaml: Grammar = {
  startState: (): YamlState => ({ literal: null }),
  token(line, given) {
    const state = given as YamlState;
    if (line.sol() && state.literal !== null) {
      if (line.indentation() > state.literal) {
        line.skipToEnd();
        return 'string';
      }
      state.literal = null;
    }
    return tokenOf(line, state);
  },
};

function tokenOf(line: StringStream, state: YamlState): string | null {
  if (line.sol() && line.match(/^(?:---|\.\.\.|%)/)) return 'meta';
  if (line.eatSpace()) return null;
  if (line.match(/^#/)) {
    line.skipToEnd();
    return 'comment';
  }
  if (line.match(/^[-?:](?=\s|$)|^[[\]{},]/)) return 'punctuation';
  if (line.match(/^[|>][-+\d]{0,2}(?=\s|$)/)) {
    state.literal = line.indentation();
    return 'punctuation';
  }
  if (line.match(/^[&*!][^\s,[\]{}]*/)) return 'label';
  if (line.match(KEY) || line.match(QUOTED_KEY)) return 'key';
  if (line.match(QUOTED)) return 'string';
  if (!line.match(/^[^\s#,[\]{}]+/)) line.next();
  while (line.match(/^ +[^\s#,[\]{}:]+/)) continue;
  const scalar = line.current();
  if (NUMBER.test(scalar)) return 'number';
  return CONSTANT.test(scalar) ? 'atom' : 'literal';
}
