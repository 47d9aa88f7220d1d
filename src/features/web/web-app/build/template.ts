import { Html, markup } from '../../../../platform/pages/web-page';
import { type Expression, nodesOf, type TemplateNode } from './template-nodes';

/** Values to insert into a template. */
export interface ShellValues {
  /** Values by name. Missing names are empty; text is escaped. */
  readonly names: Readonly<Record<string, string | boolean | Html>>;
  translate(text: string): string;
  /** The URL of a file of the build. */
  addressOf(path: string): string;
}

/**
 * The blocks of a page in the subset of Jinja that web apps use: comments, includes, conditions on names, translated
 * texts and a few expressions. Everything outside of blocks is ignored, since the server creates that part of the page
 * itself.
 */
export class Template {
  private constructor(private readonly blocks: ReadonlyMap<string, readonly TemplateNode[]>) {}

  /**
   * @param file its name, for error messages
   * @param include reads another template; null if there is none
   * @throws TemplateNotUnderstood with the line
   */
  static parse(file: string, text: string, include: (file: string) => string | null): Template {
    return new Template(nodesOf(file, text, include).blocks);
  }

  has(block: string): boolean {
    return this.blocks.has(block);
  }

  /** Renders a block; empty if it does not exist. */
  render(block: string, values: ShellValues): Html {
    return new Html(textOf(this.blocks.get(block) ?? [], values));
  }
}

function textOf(nodes: readonly TemplateNode[], values: ShellValues): string {
  return nodes.map((node) => textOfNode(node, values)).join('');
}

function textOfNode(node: TemplateNode, values: ShellValues): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'output':
      return outputOf(node.expression, values);
    case 'translated':
      // Part of the template: its markup is intended.
      return values.translate(node.text);
    case 'choice': {
      const taken = node.branches.find(({ name, isNegated }) => holds(name, values) !== isNegated);
      return textOf(taken?.nodes ?? [], values);
    }
  }
}

function outputOf(expression: Expression, values: ShellValues): string {
  switch (expression.kind) {
    case 'name': {
      const value = values.names[expression.name] ?? '';
      return value instanceof Html ? value.text : markup`${String(value)}`.text;
    }
    case 'text':
      return markup`${values.translate(expression.text)}`.text;
    case 'file':
      return markup`${values.addressOf(expression.path)}`.text;
  }
}

/** Null is the condition that always holds: `else`. */
function holds(name: string | null, { names }: ShellValues): boolean {
  if (name === null) return true;
  const value = names[name] ?? '';
  return value instanceof Html ? value.text !== '' : Boolean(value);
}
