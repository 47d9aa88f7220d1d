import { randomBytes } from 'node:crypto';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import { checkLinkifier, compilePattern } from '../../../linkifiers/linkifiers.module';
import { checkedFieldData, checkedKind, type FieldData, isMarkdownKind } from '../../../users/users.module';
import { type ArchiveRow, cutText, RowUnusable } from '../records/archive-row';
import { type ImportContext, type ImportStep, type PreparedStep, Unique, usableRows } from './import-context';

const PEOPLE_FIELD = 6;
const MOST = 500;
const MAX_VALUE_LENGTH = 500;
const MAX_POSITION = 2 ** 31 - 1;

/** Linkifiers, code playgrounds, and profile data other than names. */
export class ExtrasStep implements ImportStep {
  readonly name = 'extras';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const fields = await profileFields(context);
    const kinds = new Map(fields.map(({ id, type }) => [id as number, type as number]));
    const written: [table: string, rows: NewRow[]][] = [
      ['linkifier', await linkifiers(context)],
      ['playground', await playgrounds(context)],
      ['custom_profile_field', fields],
      ['custom_profile_value', await profileValues(context, kinds)],
    ];
    return async (tx) => {
      for (const [table, rows] of written) await insertRows(tx, table, rows);
    };
  }
}

function linkifiers(context: ImportContext): Promise<NewRow[]> {
  const patterns = new Unique();
  let count = 0;
  return usableRows(context, ['zerver_realmfilter'], (row) => {
    if (count >= MOST) throw new RowUnusable('There are too many of them.');
    const pattern = row.text('pattern');
    const alternatives = row.value('alternative_url_templates');
    const draft = {
      pattern,
      urlTemplate: row.text('url_template'),
      exampleInput: row.optionalText('example_input'),
      reverseTemplate: row.optionalText('reverse_template'),
      alternativeUrlTemplates: Array.isArray(alternatives)
        ? alternatives.filter((each) => typeof each === 'string')
        : [],
    };
    if (pattern.length > 1024 || checkLinkifier(draft, compilePattern(pattern)).areAny)
      throw new RowUnusable('Its pattern and its address do not fit this server.');
    patterns.require(pattern);
    return {
      position: row.number('order', { min: 0, max: MAX_POSITION, otherwise: count++ }),
      pattern,
      url_template: draft.urlTemplate,
      example_input: draft.exampleInput,
      reverse_template: draft.reverseTemplate,
      alternative_url_templates: JSON.stringify(draft.alternativeUrlTemplates),
    };
  });
}

function playgrounds(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  let count = 0;
  return usableRows(context, ['zerver_realmplayground'], (row) => {
    if (++count > MOST) throw new RowUnusable('There are too many of them.');
    const [name, language] = [cutText(row.text('name'), 100), cutText(row.text('pygments_language'), 100)];
    const url = row.text('url_template');
    if (!/^https?:\/\/[^{}]/i.test(url) || !url.includes('{code}') || url.length > 1000)
      throw new RowUnusable('Its address does not fit this server.');
    unique.require(language, name);
    return { name, language, url_template: url };
  });
}

function profileFields(context: ImportContext): Promise<NewRow[]> {
  const names = new Unique();
  return usableRows(context, ['zerver_customprofilefield'], (row) => {
    const type = kindOf(row);
    const name = cutText(row.text('name').trim(), 40);
    if (name === '') throw new RowUnusable('It has no name.');
    names.require(name);
    return {
      id: context.survey.profileFields.get(row.id()),
      name,
      hint: cutText(row.optionalText('hint') ?? '', 80),
      type,
      position: row.number('order', { min: 0, max: MAX_POSITION, otherwise: 0 }),
      field_data: fieldDataOf(row, type),
      is_required: row.flag('required'),
      is_editable_by_user: row.flag('editable_by_user', true),
      is_in_profile_summary: row.flag('display_in_profile_summary') && type !== PEOPLE_FIELD,
      is_used_for_matching: row.flag('use_for_user_matching'),
    };
  });
}

function kindOf(row: ArchiveRow): ReturnType<typeof checkedKind> {
  try {
    return checkedKind(row.id('field_type'));
  } catch {
    throw new RowUnusable('Its type does not exist here.');
  }
}

function fieldDataOf(row: ArchiveRow, type: ReturnType<typeof checkedKind>): string {
  try {
    const data = checkedFieldData(type, JSON.parse(row.optionalText('field_data') || '{}') as FieldData);
    return Object.keys(data).length === 0 ? '' : JSON.stringify(data);
  } catch {
    throw new RowUnusable('Its options do not fit this server.');
  }
}

/** Values of profile fields. Their HTML is rendered later. */
function profileValues(context: ImportContext, kinds: ReadonlyMap<number, number>): Promise<NewRow[]> {
  const { survey } = context;
  const unique = new Unique();
  return usableRows(context, ['zerver_customprofilefieldvalue'], (row) => {
    const [userId, fieldId] = [
      survey.accounts.get(row.id('user_profile')),
      survey.profileFields.get(row.id('field')),
    ];
    const kind = kinds.get(fieldId);
    if (kind === undefined) throw new RowUnusable('Its field was left out.');
    unique.require(userId, fieldId);
    const given = row.text('value');
    const value = kind === PEOPLE_FIELD ? people(context, given) : cutText(given, MAX_VALUE_LENGTH);
    return { user_id: userId, field_id: fieldId, value, rendered_value: isMarkdownKind(kind) ? '' : null };
  });
}

function people({ survey }: ImportContext, value: string): string {
  let ids: unknown;
  try {
    ids = JSON.parse(value);
  } catch {
    ids = null;
  }
  if (!Array.isArray(ids)) throw new RowUnusable('It names no people.');
  return JSON.stringify(
    ids.flatMap((id) => (typeof id === 'number' ? (survey.accounts.find(id) ?? []) : [])),
  );
}

/** Authenticates a bot to the program that it calls. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
