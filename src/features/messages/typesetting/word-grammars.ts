import type { StreamParser, StringStream } from '@codemirror/streamparser';

/** Reads a language line by line, token by token, and assigns a style to each token. */
export type Grammar = Pick<StreamParser<unknown>, 'token' | 'startState' | 'blankLine'>;

interface SessionState {
  /** Whether a person typed the line. */
  typed: boolean;
  readonly inside: unknown;
}

/** A terminal session: lines typed after a prompt, and their output. */
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

/** A language defined by its words: sufficient for languages missing from the library. */
interface WordLanguage {
  readonly keywords: string;
  readonly types?: string;
  /** Starts a comment that extends to the end of the line. */
  readonly comment: RegExp;
  /** Start and end of a multi-line comment. */
  readonly block?: readonly [begin: string, end: string];
  /** Variables that are marked by a sigil. */
  readonly variable?: RegExp;
  /** Constructs at the start of a line: targets, labels, headings. */
  readonly line?: readonly [pattern: RegExp, style: string];
  readonly isCaseless?: boolean;
}

const C_KEYWORDS =
  'break case catch const continue default do else enum false for function if import new null return static ' +
  'struct switch this throw true try while';

/** By display name. */
export const WORD_LANGUAGES = new Map<string, WordLanguage>(
  Object.entries({
    Awk: {
      keywords:
        'BEGIN END break continue delete do else exit for function getline if in next print printf return while',
      comment: /^#/,
      variable: /^\$\w+/,
    },
    Batchfile: {
      keywords:
        'call cd cls copy del do echo else endlocal errorlevel exist exit for goto if in not off on pause rem set setlocal start',
      comment: /^(?:::|rem\b)/i,
      variable: /^%[\w~]+%?/,
      line: [/^:\w+/, 'label'],
      isCaseless: true,
    },
    Elixir: {
      keywords:
        'after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else end false fn for if ' +
        'import in nil not or quote raise receive require rescue true try unless unquote use when with',
      comment: /^#/,
      variable: /^@\w+/,
    },
    Erlang: {
      keywords:
        'after and andalso begin case catch cond div end fun if not of or orelse receive rem try when xor',
      comment: /^%/,
      line: [/^-[a-z]\w*/, 'meta'],
    },
    Fish: {
      keywords:
        'and begin break case continue echo else end eval exec for function if in not or return set source switch test while',
      comment: /^#/,
      variable: /^\$\w+/,
    },
    GraphQL: {
      keywords:
        'directive enum extend false fragment implements input interface mutation null on query scalar schema subscription true type union',
      types: 'Boolean Float ID Int String',
      comment: /^#/,
      variable: /^[$@]\w+/,
    },
    Lean4: {
      keywords:
        'abbrev axiom by calc class def deriving do else end example extends false forall from fun have if import in inductive ' +
        'instance let match mutual namespace open partial private protected return section show structure theorem then true universe variable where with',
      types: 'Nat Int Prop Type Sort',
      comment: /^--/,
      block: ['/-', '-/'],
      variable: /^@\[[^\]]*\]/,
    },
    Makefile: {
      keywords: 'define else endef endif export ifdef ifeq ifndef ifneq include override unexport vpath',
      comment: /^#/,
      variable: /^\$(?:\([\w.-]+\)?|\{[\w.-]+\}?|[@<^*?$%+|])/,
      line: [/^[\w.%/-]+(?=\s*:(?!=))/, 'function'],
    },
    Nimrod: {
      keywords:
        'and as block break case const continue converter defer discard distinct div do elif else end enum except export false finally for from func if ' +
        'import in include is iterator let macro method mod nil not object of or proc raise ref return template true try tuple type var when while yield',
      types: 'bool char float int string uint',
      comment: /^#/,
    },
    Nix: {
      keywords: 'assert else false if import in inherit let null or rec then true with',
      comment: /^#/,
      block: ['/*', '*/'],
    },
    PHP: {
      keywords:
        `${C_KEYWORDS} abstract and array as class clone declare echo elseif empty endfor endforeach endif endswitch endwhile extends final ` +
        'finally fn foreach global implements include include_once instanceof insteadof interface isset list match namespace or print private ' +
        'protected public readonly require require_once trait unset use var xor yield',
      types: 'bool callable float int iterable mixed object self string void',
      comment: /^(?:\/\/|#(?!\[))/,
      block: ['/*', '*/'],
      variable: /^\$\w+/,
      line: [/^<\?(?:php|=)?/, 'meta'],
      isCaseless: true,
    },
    Prolog: { keywords: 'is mod rem fail true not', comment: /^%/, block: ['/*', '*/'] },
    Solidity: {
      keywords:
        `${C_KEYWORDS} abstract as assembly calldata constant constructor contract delete emit error event external immutable indexed interface ` +
        'internal is library mapping memory modifier override payable pragma private public pure require returns storage super type unchecked using view virtual',
      types: 'address bool bytes bytes32 int string uint uint8 uint256',
      comment: /^\/\//,
      block: ['/*', '*/'],
    },
    Terraform: {
      keywords:
        'data dynamic false for if in locals module null output provider resource terraform true variable',
      types: 'any bool list map number object set string',
      comment: /^(?:#|\/\/)/,
      block: ['/*', '*/'],
    },
    VimL: {
      keywords:
        'autocmd call command else elseif endfor endfunction endif endwhile execute finish for function if in let map nmap nnoremap noremap return set while',
      comment: /^"(?=[^"]*$)/,
      variable: /^[&@abglstw]:\w+/,
    },
    Zig: {
      keywords:
        'align allowzero and anyframe anytype asm async await break catch comptime const continue defer else enum errdefer error export extern false fn for if ' +
        'inline noalias null opaque or orelse packed pub resume return struct suspend switch test threadlocal true try undefined union unreachable usingnamespace var volatile while',
      types:
        'anyerror bool comptime_int f32 f64 i8 i16 i32 i64 isize noreturn type u8 u16 u32 u64 usize void',
      comment: /^\/\//,
      variable: /^@\w+/,
    },
  }),
);

interface WordState {
  insideBlock: boolean;
}

const STRING = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?)/;
const NUMBER = /^(?:0x[\da-f_]+|0b[01_]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)/i;
const WORD = /^[\p{L}_][\p{L}\d_]*/u;

/** The grammar of such a language. */
export function wordGrammar(language: WordLanguage): Grammar {
  const fold = (word: string) => (language.isCaseless ? word.toLowerCase() : word);
  const keywords = new Set(language.keywords.split(' '));
  const types = new Set(language.types?.split(' '));
  return {
    startState: (): WordState => ({ insideBlock: false }),
    token(line, given) {
      const state = given as WordState;
      const [begin, end] = language.block ?? [];
      if (end !== undefined && (state.insideBlock || line.match(begin!))) {
        state.insideBlock = !line.skipTo(end);
        if (state.insideBlock) line.skipToEnd();
        else line.match(end);
        return 'comment';
      }
      if (line.sol() && language.line && line.match(language.line[0])) return language.line[1];
      if (line.eatSpace()) return null;
      if (line.match(language.comment)) {
        line.skipToEnd();
        return 'comment';
      }
      if (language.variable && line.match(language.variable)) return 'variableName.special';
      if (line.match(STRING)) return 'string';
      if (line.match(NUMBER)) return 'number';
      if (line.match(WORD)) {
        const word = fold(line.current());
        if (keywords.has(word)) return 'keyword';
        return types.has(word) ? 'type' : 'variableName';
      }
      line.next();
      return null;
    },
  };
}

interface YamlState {
  /** The indentation of a key whose value is a multi-line text. */
  literal: number | null;
}

const KEY = /^(?:[^\s#"'[\]{},&*!|>%@`:-]|-[^\s#:,[\]{}])[^#:,[\]{}]*(?=:(?:\s|$))/;
const QUOTED_KEY = /^(?:"[^"]*"|'[^']*')(?=:(?:\s|$))/;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/;
const YAML_NUMBER = /^[-+]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
const CONSTANT = /^(?:true|false|null|yes|no|on|off|~)$/i;

/** The grammar of YAML. */
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
  if (YAML_NUMBER.test(scalar)) return 'number';
  return CONSTANT.test(scalar) ? 'atom' : 'literal';
}
