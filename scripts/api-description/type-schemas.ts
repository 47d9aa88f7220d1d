import * as ts from 'typescript';
import { docstringOf, hasTag } from './docstrings';
import { referenceTo, type Schema } from '../../src/features/web/api-description/openapi';

/** Properties of a record, and which of them are required. */
export type Members = Pick<Schema, 'properties' | 'required'>;

/** A type is not specific enough for the API description. */
class LooseType extends Error {}

/**
 * Converts result types of handlers to JSON schemas. Named types of the server become components, once each. It uses
 * the compiler rather than the text, because most handlers have inferred types.
 */
export class TypeSchemas {
  readonly components = new Map<string, Schema>();
  /** Members that features add to an extensible type, by the name of the type. */
  private readonly additions = new Map<string, Members>();
  private readonly namesTaken = new Map<string, ts.Symbol>();

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Adds members of other features to an extensible type. */
  addTo(name: string, members: Members): void {
    this.additions.set(name, members);
  }

  /** Adds a component that is not derived only from its type. */
  define(name: string, schema: Schema): void {
    this.components.set(name, schema);
  }

  /**
   * @param at location of the type, for messages
   * @throws LooseType
   */
  schemaOf(type: ts.Type, at: string, fractions = false): Schema {
    const { flags } = type;
    if (type.isUnion()) return this.unionOf(type, at, fractions);
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { const: (type as ts.Type & { intrinsicName: string }).intrinsicName === 'true' };
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: fractions ? 'number' : 'integer' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.Object || type.isIntersection()) return this.objectOf(type, at, fractions);
    throw new LooseType(`${at}: ${this.checker.typeToString(type)}`);
  }

  private unionOf(type: ts.UnionType, at: string, fractions: boolean): Schema {
    const named = this.componentName(type);
    if (named !== null) return this.component(named, at, () => this.formsOf(type, at, fractions));
    return this.formsOf(type, at, fractions);
  }

  /** The members of a union, with constants of the same type combined. */
  private formsOf(type: ts.UnionType, at: string, fractions: boolean): Schema {
    const members = type.types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const isFlag = ({ flags }: ts.Type) => (flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const forms = members
      .filter((member) => !isFlag(member))
      .map((member) => this.schemaOf(member, at, fractions));
    const flags = members.filter(isFlag);
    if (flags.length === 2) forms.push({ type: 'boolean' });
    else forms.push(...flags.map((flag) => this.schemaOf(flag, at)));
    // The compiler's order of a union follows the import order of files, which is meaningless.
    const values = inOrder(forms.filter((form) => 'const' in form)).map((form) => form.const);
    const others = inOrder(unique(forms.filter((form) => !('const' in form))));
    if (values.length > 0) others.unshift(values.length === 1 ? { const: values[0] } : { enum: values });
    return combined(others);
  }

  private objectOf(type: ts.Type, at: string, fractions: boolean): Schema {
    const { checker } = this;
    const items = checker.isArrayType(type)
      ? checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
    if (items && isNever(items)) return { type: 'array', maxItems: 0 };
    if (items) return { type: 'array', items: this.schemaOf(items, `${at}[]`, fractions) };
    if (checker.isTupleType(type)) {
      const parts = checker.getTypeArguments(type as ts.TypeReference);
      if (parts.length === 0) return { type: 'array', maxItems: 0 };
      const prefixItems = parts.map((part, index) => this.schemaOf(part, `${at}[${index}]`, fractions));
      return { type: 'array', prefixItems, items: false, minItems: parts.length };
    }
    const written = type.getProperty('toJSON');
    if (written) {
      const [signature] = checker.getTypeOfSymbol(written).getCallSignatures();
      return this.schemaOf(signature!.getReturnType(), at, fractions);
    }
    const name = this.componentName(type);
    return name === null
      ? this.recordOf(type, at, fractions)
      : this.component(name, at, (inner) => this.recordOf(type, inner, false));
  }

  private recordOf(type: ts.Type, at: string, fractions: boolean): Schema {
    const { checker } = this;
    if (type.flags & ts.TypeFlags.NonPrimitive) {
      console.log('LOOSE', at);
      return {};
    }
    const added = this.additions.get((type.aliasSymbol ?? type.symbol)?.name ?? '');
    if (added) return { type: 'object', ...merged(this.membersOf(type, at, fractions), added) };
    const further =
      checker.getIndexTypeOfType(type, ts.IndexKind.String) ??
      checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (further && isNever(further)) return { type: 'object', maxProperties: 0 };
    return {
      type: 'object',
      ...this.membersOf(type, at, fractions),
      ...(further && { additionalProperties: this.schemaOf(further, `${at}{}`, fractions) }),
    };
  }

  /** The properties of a record, and which of them are required. */
  membersOf(type: ts.Type, at: string, fractions = false): Members {
    const { checker } = this;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of type.getProperties()) {
      const given = checker.getTypeOfSymbol(property);
      const place = `${at}.${property.name}`;
      if (given.flags & ts.TypeFlags.Undefined) continue; // there is none, in this form of a union
      if (given.getCallSignatures().length > 0) throw new LooseType(`${place} is a function`);
      const schema = this.schemaOf(given, place, fractions || hasTag(property, 'fraction'));
      const { text } = docstringOf(property, checker);
      properties[property.name] = text === '' ? schema : { ...schema, description: text };
      const mayMiss = (property.flags & ts.SymbolFlags.Optional) !== 0 || includesUndefined(given);
      if (!mayMiss) required.push(property.name);
    }
    return {
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }

  /** The component name of a server type; null for unnamed and generic types. */
  private componentName(type: ts.Type): string | null {
    if ((type.aliasTypeArguments ?? []).length > 0) return null;
    const symbol = type.aliasSymbol ?? (type.isUnion() ? undefined : type.symbol);
    const declaration = symbol?.declarations?.[0];
    if (!symbol || !declaration || declaration.getSourceFile().fileName.includes('node_modules')) return null;
    const isNamed =
      ts.isInterfaceDeclaration(declaration) ||
      ts.isTypeAliasDeclaration(declaration) ||
      ts.isClassDeclaration(declaration);
    if (!isNamed || (declaration.typeParameters ?? []).length > 0) return null;
    const short = symbol.name.replace(/Wire$/, '');
    for (const name of [short, symbol.name]) {
      const taken = this.namesTaken.get(name);
      if (taken === undefined || taken === symbol) {
        this.namesTaken.set(name, symbol);
        return name;
      }
    }
    throw new Error(`Two types of the wire are called ${symbol.name}; give one of them another name.`);
  }

  private component(name: string, at: string, build: (at: string) => Schema): Schema {
    if (!this.components.has(name)) {
      this.components.set(name, {}); // a type may refer to itself
      const { text } = docstringOf(this.namesTaken.get(name), this.checker);
      this.components.set(name, {
        ...(text === '' ? {} : { description: text }),
        ...build(`${at}<${name}>`),
      });
    }
    return referenceTo(name);
  }
}

function merged(own: Members, added: Members): Members {
  return {
    properties: { ...own.properties, ...added.properties },
    required: [...(own.required ?? []), ...(added.required ?? [])],
  };
}

function isNever({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.Never) !== 0;
}

function includesUndefined(type: ts.Type): boolean {
  return type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
}

/** Removes duplicates, which structurally equal types would produce. */
function unique(forms: readonly Schema[]): Schema[] {
  const texts = new Map(forms.map((form) => [JSON.stringify(form), form]));
  return [...texts.values()];
}

/** Sorted by their text, null last. */
export function inOrder(forms: readonly Schema[]): Schema[] {
  const key = (form: Schema) => (form.type === 'null' ? '~' : JSON.stringify(form));
  return [...forms].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Combines simple types into one list of names, followed by everything else. */
function combined(forms: readonly Schema[]): Schema {
  if (forms.length === 1) return forms[0]!;
  const isSimple = (form: Schema) => typeof form.type === 'string' && Object.keys(form).length === 1;
  if (forms.every(isSimple)) return { type: forms.map(({ type }) => type as string) };
  return { anyOf: [...forms] };
}
