import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

const NAME_PART = String.raw`(?:\w|%[0-9A-Fa-f]{2})+`;
const NAME = String.raw`${NAME_PART}(?:\.${NAME_PART})*`;
const VARIABLE = String.raw`${NAME}(?::[1-9]\d{0,3}|\*)?`;

/** One literal or one expression of a template (RFC 6570, section 2). */
const PART = new RegExp(
  String.raw`(?<literal>[^{}]+)|\{(?<operator>[+#./;?&]?)(?<variables>${VARIABLE}(?:,${VARIABLE})*)\}`,
  'gy',
);

/** Schemes whose URLs run code, or display their own content. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'blob',
  'file',
  'filesystem',
]);

interface Expression {
  /** Including its braces. */
  readonly expression: string;
  /** Whether reserved characters are not encoded. */
  readonly keepsReserved: boolean;
}

type Part = { readonly literal: string } | Expression;

/** Values by variable name; null or missing ones are omitted from the URL. */
type TemplateValues = Readonly<Record<string, string | null | undefined>>;

/**
 * A URL template (RFC 6570, level 4) whose values are texts. Literals may contain any character except braces, as in
 * most implementations; characters that URLs cannot contain are encoded. A library expands the expressions; parsing is
 * done here, because the library neither lists variables nor refuses everything that the RFC does.
 */
export class UrlTemplate {
  /** Names of the variables, without operators and modifiers. */
  readonly variables: ReadonlySet<string>;

  private constructor(
    private readonly parts: readonly Part[],
    names: readonly string[],
  ) {
    this.variables = new Set(names);
  }

  /** @returns null for a text that is not a template */
  static parse(text: string): UrlTemplate | null {
    const matches = [...text.matchAll(PART)];
    const length = matches.reduce((sum, [whole]) => sum + whole.length, 0);
    if (length !== text.length) return null;
    return new UrlTemplate(matches.map(toPart), matches.flatMap(variableNames));
  }

  /**
   * Whether values can neither choose the URL's scheme nor be run or displayed by it: the template starts with a
   * harmless scheme, or with part of a path.
   */
  get isSafe(): boolean {
    const [first] = this.parts;
    if (!first || !('literal' in first)) return false;
    const [start = '', delimiter] = first.literal.split(/([/?#])/, 2);
    if (!start.includes(':')) return delimiter !== undefined || this.variables.size === 0;
    const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(start) ?? [];
    return scheme !== undefined && !UNSAFE_SCHEMES.has(scheme.toLowerCase());
  }

  expand(values: TemplateValues): string {
    const known: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const name of this.variables) {
      if (Object.hasOwn(values, name)) known[name] = values[name]?.toWellFormed();
    }
    return this.parts.map((part) => ('literal' in part ? part.literal : expandPart(part, known))).join('');
  }
}

function toPart({ 0: whole, groups }: RegExpExecArray): Part {
  const { literal, operator = '' } = groups ?? {};
  if (literal === undefined)
    return { expression: whole, keepsReserved: operator === '+' || operator === '#' };
  const values = { literal: literal.toWellFormed() };
  return { literal: expandPart({ expression: '{+literal}', keepsReserved: true }, values) };
}

function variableNames({ groups }: RegExpExecArray): string[] {
  return groups?.variables?.split(',').map((variable) => variable.replace(/[:*].*$/, '')) ?? [];
}

/**
 * Also encodes characters that the library leaves as they are although URLs cannot contain them, or only with a special
 * meaning.
 */
function expandPart({ expression, keepsReserved }: Expression, values: Record<string, unknown>): string {
  const missed = keepsReserved ? /["<>`{}|\\^]/g : /[!'()*]/g;
  return StdUriTemplate.expand(expression, values).replace(
    missed,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A doubled brace, a variable, or an unclosed brace. */
const MARK = /\{\{|\}\}|\{(?<name>[^}]*)\}|\{/g;

/** Why a text is not a valid reverse template, in Zulip's words. */
export class BadReverseTemplate extends Error {}

/**
 * The text from which a linkifier would create a URL: `{name}` represents the text of that group, `{{` and `}}`
 * represent braces; a single `}` also represents itself.
 */
export class ReverseTemplate {
  private constructor(
    private readonly text: string,
    readonly variables: ReadonlySet<string>,
  ) {}

  /** @throws BadReverseTemplate */
  static parse(text: string): ReverseTemplate {
    const variables = new Set<string>();
    for (const { 0: mark, groups } of text.matchAll(MARK)) {
      if (mark === '{') {
        throw new BadReverseTemplate("Invalid auto-conversion field: missing '}' character.");
      }
      const name = groups?.name;
      if (name === '') throw new BadReverseTemplate('Invalid auto-conversion field: empty field name.');
      if (name !== undefined) variables.add(name);
    }
    return new ReverseTemplate(text, variables);
  }

  expand(values: TemplateValues): string {
    return this.text.replace(MARK, (mark, name?: string) =>
      name === undefined ? mark.charAt(0) : (values[name] ?? ''),
    );
  }
}
