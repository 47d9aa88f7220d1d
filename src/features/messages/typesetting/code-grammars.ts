import { type Grammar, sessionGrammar, WORD_LANGUAGES, wordGrammar, yaml } from './word-grammars';

/**
 * The library's file and the export with the grammar, by the display name of the language. Some grammars are left out
 * because they contain expressions that take polynomial time in the length of a line.
 */
const FILES = new Map(
  Object.entries({
    'C#': 'clike csharp',
    'C++': 'clike cpp',
    'Common Lisp': 'commonlisp commonLisp',
    'Django/Jinja': 'jinja2 jinja2',
    'F#': 'mllike fSharp',
    'JSON-LD': 'javascript jsonld',
    'Nginx configuration file': 'nginx nginx',
    'Objective-C': 'clike objectiveC',
    'PL/pgSQL': 'sql pgSQL',
    'PostgreSQL SQL dialect': 'sql pgSQL',
    'Protocol Buffer': 'protobuf protobuf',
    'Python 2.x': 'python python',
    'Standard ML': 'mllike sml',
    'Transact-SQL': 'sql msSQL',
    'VB.net': 'vb vb',
    APL: 'apl apl',
    Arduino: 'clike cpp',
    Bash: 'shell shell',
    C: 'clike c',
    COBOL: 'cobol cobol',
    CSS: 'css css',
    CUDA: 'clike cpp',
    Clojure: 'clojure clojure',
    CoffeeScript: 'coffeescript coffeeScript',
    Crystal: 'crystal crystal',
    Cython: 'python cython',
    D: 'd d',
    Dart: 'clike dart',
    Delphi: 'pascal pascal',
    Diff: 'diff diff',
    Docker: 'dockerfile dockerFile',
    Elm: 'elm elm',
    EmacsLisp: 'commonlisp commonLisp',
    Erlang: 'erlang erlang',
    Fortran: 'fortran fortran',
    GAS: 'gas gas',
    GLSL: 'clike shader',
    Gherkin: 'gherkin gherkin',
    Go: 'go go',
    Groovy: 'groovy groovy',
    HLSL: 'clike shader',
    HTML: 'xml html',
    HTTP: 'http http',
    Haskell: 'haskell haskell',
    Haxe: 'haxe haxe',
    INI: 'properties properties',
    JSON5: 'javascript json',
    JSON: 'javascript json',
    JSX: 'javascript javascript',
    Java: 'clike java',
    JavaScript: 'javascript javascript',
    Julia: 'julia julia',
    Kotlin: 'clike kotlin',
    LessCss: 'css less',
    Lua: 'lua lua',
    Matlab: 'octave octave',
    MySQL: 'sql mySQL',
    OCaml: 'mllike oCaml',
    Octave: 'octave octave',
    Perl: 'perl perl',
    PowerShell: 'powershell powerShell',
    Properties: 'properties properties',
    Python: 'python python',
    Racket: 'scheme scheme',
    Ruby: 'ruby ruby',
    Rust: 'rust rust',
    S: 'r r',
    SCSS: 'css sCSS',
    SQL: 'sql standardSQL',
    Sass: 'sass sass',
    Scala: 'clike scala',
    Scheme: 'scheme scheme',
    Smalltalk: 'smalltalk smalltalk',
    Swift: 'swift swift',
    TOML: 'toml toml',
    TSX: 'javascript typescript',
    Tcl: 'tcl tcl',
    TeX: 'stex stex',
    Turtle: 'turtle turtle',
    TypeScript: 'javascript typescript',
    VBScript: 'vbscript vbScript',
    Vala: 'clike csharp',
    WebAssembly: 'wast wast',
    XML: 'xml xml',
    verilog: 'verilog verilog',
    vhdl: 'vhdl vhdl',
  }),
);

/** Terminal sessions: the prompt before typed lines, and the language of those lines. */
const SESSIONS = new Map<string, readonly [prompt: RegExp, language: string]>([
  ['Bash Session', [/^(?:[\w.-]+@[\w.-]+[^$#%]{0,80})?[$#%>] ?/, 'Bash']],
  ['Python console session', [/^(?:>>>|\.\.\.) ?/, 'Python']],
]);

/** The languages that have a grammar. */
export const GRAMMAR_LANGUAGES: readonly string[] = [
  'YAML',
  ...SESSIONS.keys(),
  ...WORD_LANGUAGES.keys(),
  ...FILES.keys(),
];

/** The grammar of a language, loaded when first needed; null if there is none. */
export function grammarOf(language: string): Grammar | null {
  if (language === 'YAML') return yaml;
  const session = SESSIONS.get(language);
  if (session) return sessionGrammar(session[0], grammarOf(session[1])!);
  const words = WORD_LANGUAGES.get(language);
  if (words) return wordGrammar(words);
  const place = FILES.get(language);
  return place === undefined ? null : loaded(place);
}

function loaded(place: string): Grammar {
  const [file, name] = place.split(' ') as [string, string];
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- few of the many are ever needed
  const grammars = require(`@codemirror/legacy-modes/mode/${file}`) as Record<string, Grammar>;
  return grammars[name]!;
}
