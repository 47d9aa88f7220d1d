/** By the style that a grammar assigns to a token: the class that clients expect for its kind. */
const KINDS: Readonly<Record<string, string>> = {
  angleBracket: 'p',
  annotation: 'nd',
  atom: 'kc',
  attribute: 'na',
  attributeName: 'na',
  brace: 'p',
  bracket: 'p',
  builtin: 'nb',
  character: 'sc',
  className: 'nc',
  comment: 'c1',
  contentSeparator: 'p',
  controlKeyword: 'k',
  def: 'n',
  definitionKeyword: 'kd',
  deleted: 'gd',
  docComment: 'c1',
  docString: 'sd',
  emphasis: 'ge',
  escape: 'se',
  function: 'nf',
  header: 'gh',
  heading: 'gh',
  inserted: 'gi',
  key: 'nt',
  keyword: 'k',
  label: 'nl',
  labelName: 'nl',
  literal: 'l',
  macroName: 'fm',
  meta: 'cp',
  modifier: 'k',
  moduleKeyword: 'kn',
  namespace: 'nn',
  number: 'mi',
  operator: 'o',
  operatorKeyword: 'ow',
  output: 'go',
  paren: 'p',
  processingInstruction: 'cp',
  prompt: 'gp',
  property: 'n',
  propertyName: 'n',
  pseudo: 'nd',
  punctuation: 'p',
  qualifier: 'nc',
  quote: 'sb',
  regexp: 'sr',
  self: 'bp',
  separator: 'p',
  string: 's',
  'string-2': 's',
  strong: 'gs',
  tag: 'nt',
  tagName: 'nt',
  type: 'kt',
  typeName: 'kt',
  unit: 'kt',
  url: 's',
  variable: 'n',
  'variable-2': 'nv',
  'variable-3': 'kt',
  variableName: 'n',
  'variableName.constant': 'no',
  'variableName.function': 'nf',
  'variableName.function.standard': 'nb',
  'variableName.special': 'nv',
  'variableName.standard': 'nb',
};

/** Exceptions for languages that use a style differently. */
const KINDS_OF_LANGUAGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bash: { def: 'nv' },
  'Bash Session': { def: 'nv' },
  CSS: { property: 'k', atom: 'kc', builtin: 'nn', keyword: 'kc', 'variableName.constant': 'nd' },
  Diff: { meta: 'gu' },
  HTML: { atom: 'ni', comment: 'cm' },
  INI: { def: 'na', header: 'k', quote: 's' },
  JSON: { property: 'nt' },
  LessCss: { property: 'k', builtin: 'nn', 'variableName.constant': 'nd' },
  PowerShell: { variable: 'nv', 'variable-2': 'nv' },
  Properties: { def: 'na', quote: 's' },
  Ruby: { atom: 'ss', tag: 'nc', propertyName: 'vi' },
  Rust: { def: 'n', atom: 'kt' },
  SCSS: { property: 'k', builtin: 'nn', 'variableName.constant': 'nd' },
  TeX: { tag: 'k' },
  TOML: { atom: 'kc', property: 'n' },
  XML: { atom: 'ni', comment: 'cm' },
};

const words = (text: string) => new Set(text.split(' '));
const CONSTANTS = words('true false null nil none undefined nullptr');
const IMPORTS = words('import package using include require');
const DECLARATIONS = words('let const var function func');
const WORD_OPERATORS = words('and or not is instanceof typeof new');
const PRIMITIVES = words(
  'int char void long short unsigned signed float double bool boolean byte string rune error usize isize size_t ' +
    'i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 str',
);
const BEFORE_FUNCTION = words('def defp defmacro fn fun func function sub proc');
const BEFORE_CLASS = words('class struct enum trait interface union module contract defmodule');

const LINE_COMMENT = /^(?:\/\/|#|--|;|%|!|'|"|::|rem\b)/i;

/** Classifies the tokens of a code block, depending on the preceding ones. */
export class TokenKinds {
  private previous = '';
  private readonly own: Readonly<Record<string, string>>;

  constructor(private readonly language: string) {
    this.own = KINDS_OF_LANGUAGE[language] ?? {};
  }

  /**
   * The class of a token; '' for plain text.
   * @param style as assigned by the grammar: one or several words
   */
  of(style: string | null | undefined, text: string, isFirstLine: boolean): string {
    if (!style) return '';
    const kind = this.refined(this.byStyle(style), text, isFirstLine);
    this.previous = text;
    return kind;
  }

  private byStyle(style: string): string {
    for (const word of style.split(' ').reverse()) {
      const kind = this.own[word] ?? KINDS[word] ?? KINDS[word.split('.')[0]!];
      if (kind !== undefined) return kind;
    }
    return '';
  }

  private refined(kind: string, text: string, isFirstLine: boolean): string {
    switch (kind) {
      case 'k':
      case 'kt':
      case 'nb':
        return kindOfWord(kind, text);
      case 'n':
      case 'nf':
        return this.kindOfName(text, kind);
      case 'kc':
        return text.startsWith('#') ? 'mh' : kind;
      case 'mi':
        return kindOfNumber(text);
      case 'c1':
        return LINE_COMMENT.test(text) ? 'c1' : 'cm';
      case 'cp':
        if (isFirstLine && text.startsWith('#!')) return 'ch';
        return text.startsWith('@') || this.previous === '@' ? 'nd' : kind;
      case 's':
        if (text.startsWith('`')) return 'sb';
        return /^\/[^/]/.test(text) ? 'sr' : kind;
      default:
        return kind;
    }
  }

  private kindOfName(text: string, kind: string): string {
    const previous = this.previous.toLowerCase();
    if (BEFORE_FUNCTION.has(previous)) return 'nf';
    if (BEFORE_CLASS.has(previous)) return 'nc';
    return kind === 'n' && CONSTANTS.has(text) ? 'kc' : kind;
  }
}

function kindOfWord(kind: string, text: string): string {
  if (!/[\p{L}\d_]/u.test(text)) return 'o';
  const word = text.toLowerCase();
  if (CONSTANTS.has(word)) return 'kc';
  if (kind !== 'nb' && PRIMITIVES.has(text)) return 'kt';
  if (kind !== 'k') return kind;
  if (IMPORTS.has(word)) return 'kn';
  if (DECLARATIONS.has(word)) return 'kd';
  return WORD_OPERATORS.has(text) ? 'ow' : kind;
}

function kindOfNumber(text: string): string {
  if (!/\d/.test(text)) return 'p';
  if (/^[-+]?0x/i.test(text)) return 'mh';
  if (/^[-+]?0b/i.test(text)) return 'mb';
  if (/^#/.test(text)) return 'mh';
  if (/^[-+]?0o/i.test(text)) return 'mo';
  return /^[-+]?[\d_]*(?:\.|\d[\d_]*e)/i.test(text) ? 'mf' : 'mi';
}
