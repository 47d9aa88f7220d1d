import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

const NAME_PART = String.raw`(?:\w|%[0-9A-Fa-f]{2})+`;
const NAME = String.raw`${NAME_PART}(?:\.${NAME_PART})*`;
const VARIABLE = String.raw`${NAME}(?::[1-9]\d{0,3}|\*)?`;

/** One literal or one expression of a template (RFC 6570, section 2). */
const PART = new RegExp(
  String.raw`(?<literal>[^{}]+)|\{(?<operator>[+#./;?&]?)(?<variables>${VARIABLE}(?:,${VARIABLE})*)\}`,
  'gy',
);

/** Schemes whose addresses run code, or show what the address itself says. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'blob',
  'file',
  'filesystem',
]);

interface Expression {
  /** With its braces. */
  readonly expression: string;
  /** Whether characters with a meaning in addresses are written as they are. */
  readonly keepsReserved: boolean;
}

type Part = { readonly literal: string } | Expression;

/** Values by the names of variables; those that are null or missing are left out of the address. */
type TemplateValues = Readonly<Record<string, string | null | undefined>>;

/**
 * A URL template (RFC 6570, level 4) whose values are texts. Literals may hold any character but braces, as in most
 * implementations; what an address cannot hold is encoded. Expressions are expanded by a library; what it takes for a
 * template is decided here, as it tells neither the names of variables nor all that the RFC refuses.
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

  /** @returns null where the text is no template */
  static parse(text: string): UrlTemplate | null {
    const matches = [...text.matchAll(PART)];
    const length = matches.reduce((sum, [whole]) => sum + whole.length, 0);
    if (length !== text.length) return null;
    return new UrlTemplate(matches.map(toPart), matches.flatMap(variableNames));
  }

  /**
   * Whether values can neither choose the scheme of the address nor be run or shown by it: the template begins with a
   * scheme that does neither, or with part of a path.
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

/** Encodes as well what the library leaves as it is though an address cannot hold it, or only with a meaning. */
function expandPart({ expression, keepsReserved }: Expression, values: Record<string, unknown>): string {
  const missed = keepsReserved ? /["<>`{}|\\^]/g : /[!'()*]/g;
  return StdUriTemplate.expand(expression, values).replace(
    missed,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A doubled brace, a variable, or an opening brace that nothing closes. */
const MARK = /\{\{|\}\}|\{(?<name>[^}]*)\}|\{/g;

/** Why a text is no reverse template, in the words of the interface. */
export class BadReverseTemplate extends Error {}

/**
 * How the text is written again that a linkifier turned into an address: `{name}` stands for what the group of that
 * name matched, `{{` and `}}` for braces; a `}` alone is one as well.
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
