import type { TemplateValues } from './url-template';

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
