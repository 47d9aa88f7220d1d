import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTo, type Schema } from './schema';

/** A line of `differences.tsv`: an intended difference of this server from the contract. */
export interface Difference {
  /** Anchor, path and kind, which are unique together. */
  readonly id: string;
  /** A definition, an answer (`GET /streams`, `POST /messages 400`) or an event (`event stream create`). */
  readonly anchor: string;
  /** Relative to the anchor, such as `subscriptions[].color`; the name of the parameter for `unsupported`. */
  readonly path: string;
  readonly kind: DifferenceKind;
  /** For `extra` and `value`, the actual type. */
  readonly type: string;
  /** Feature level that introduced it, or `spec` or `own` with a reason. */
  readonly since: string;
  readonly reason: string;
}

const KINDS = {
  extra: 'a key that the contract does not have',
  value: 'a value that the contract does not allow',
  optional: 'a key that may be missing, though the contract requires it',
  absent: 'a key that is never given',
  partial: 'a record of which a few keys are given at a time, those that changed',
  unsupported: 'a parameter that is not supported',
  unknown: 'a kind of event that the contract does not have',
};
type DifferenceKind = keyof typeof KINDS;

/** The lines of `differences.tsv`. */
export function readDifferences(): Difference[] {
  return parseDifferences(readFileSync(join(__dirname, '../../compat/differences.tsv'), 'utf8'));
}

/** Parses `test/compat/differences.tsv`. @throws Error naming an invalid line */
export function parseDifferences(text: string): Difference[] {
  const differences = text
    .split('\n')
    .slice(1)
    .filter((row) => row !== '')
    .map((row, index) => {
      const [anchor, path, difference = '', since = '', reason, ...rest] = row.split('\t');
      const [kind = '', ...type] = difference.split(' ');
      const complete = anchor && path !== undefined && reason !== undefined && rest.length === 0;
      const justified = /^\d{3}$/.test(since) || (['spec', 'own'].includes(since) && reason !== '');
      const typed = type.length > 0 === ['extra', 'value'].includes(kind);
      if (!complete || !(kind in KINDS) || !justified || !typed) {
        throw new Error(`differences.tsv, line ${index + 2}: ${row}`);
      }
      const id = [anchor, path, kind].join('\t');
      return { id, anchor, path, kind: kind as DifferenceKind, type: type.join(' '), since, reason };
    });
  const twice = differences.find(
    ({ id }, index) => differences.findIndex((other) => other.id === id) !== index,
  );
  if (twice) throw new Error(`differences.tsv lists twice: ${twice.id}`);
  return differences;
}

/**
 * A schema from its short form: types such as `string` and `null`, `any`, a quoted text, or a definition's name, each
 * optionally with `[]` for a list or `{}` for a map, and `|` between alternatives.
 */
export function schemaOf(type: string): Schema {
  const forms = type.split('|').map((form): Schema => {
    if (form.endsWith('[]')) return { type: 'array', items: schemaOf(form.slice(0, -2)) };
    if (form.endsWith('{}')) return { type: 'object', additionalProperties: schemaOf(form.slice(0, -2)) };
    if (form.startsWith('"')) return { enum: [JSON.parse(form)] };
    if (/^[A-Z]/.test(form)) return referenceTo(form);
    return form === 'any' ? {} : { type: form };
  });
  return forms.length === 1 ? (forms[0] as Schema) : { anyOf: forms };
}
