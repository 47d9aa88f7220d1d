import { type FieldData, FieldKind, type GivenValue, KNOWN_EXTERNAL_ACCOUNTS } from './field-kinds';
import type { CustomProfileField } from './custom-profile-field.entity';
import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The definition of a field, except its kind; omitted properties do not change, or start with their defaults. */
export interface FieldDeclaration {
  readonly name?: string;
  readonly hint?: string;
  readonly data?: FieldData;
  readonly isInProfileSummary?: boolean;
  readonly isRequired?: boolean;
  readonly isEditableByUser?: boolean;
  readonly isUsedForMatching?: boolean;
}

/** A custom profile field as sent to clients. */
export interface CustomProfileFieldWire {
  readonly id: number;
  readonly name: string;
  /** The number of its kind. */
  readonly type: number;
  readonly hint: string;
  /** JSON that depends on the kind; empty if there is none. */
  readonly field_data: string;
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  /** Present only when true. */
  readonly use_for_user_matching?: true;
  /** Present only when true. */
  readonly display_in_profile_summary?: true;
}

/** The record of a custom profile field. */
export function customProfileFieldRecord(field: CustomProfileField): CustomProfileFieldWire {
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    hint: field.hint,
    field_data: field.fieldData,
    order: field.position,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    ...(field.isUsedForMatching ? { use_for_user_matching: true } : {}),
    ...(field.isInProfileSummary ? { display_in_profile_summary: true } : {}),
  };
}

const PARAGRAPH = { id: FieldKind.longText, name: 'Paragraph' } as const;
const DROPDOWN = { id: FieldKind.options, name: 'Dropdown' } as const;

/** The available kinds by their names on the wire, each with its number and a display name. */
export const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: FieldKind.shortText, name: 'Short text' },
  PARAGRAPH,
  DROPDOWN,
  // Legacy names of these two.
  LONG_TEXT: PARAGRAPH,
  SELECT: DROPDOWN,
  DATE: { id: FieldKind.date, name: 'Date' },
  URL: { id: FieldKind.link, name: 'Link' },
  USER: { id: FieldKind.person, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FieldKind.externalAccount, name: 'External account' },
  PRONOUNS: { id: FieldKind.pronouns, name: 'Pronouns' },
} as const;

/** Known external accounts, which can be added to profiles without a definition. */
export const EXTERNAL_ACCOUNTS_STATE = { realm_default_external_accounts: KNOWN_EXTERNAL_ACCOUNTS };

const name = () => visibleName({ maxLength: 40 });
const hint = () => text({ trim: true, maxLength: 80 });
const fieldData = () => json.record(json.any());
const optional = { optional: true } as const;

/** Maximum number of values in one request: an organization has few fields, and each is sent once. */
const MAX_VALUES = 500;

/** Parameters shared by creating and changing a field. */
class FieldFlagsDto {
  /** Whether profile summaries show the field. */
  @Parameter(json.boolean(), optional) display_in_profile_summary?: boolean;
  /** Whether people are reminded to fill in the field. */
  @Parameter(json.boolean(), optional) required?: boolean;
  /** Whether people may edit the field themselves, or only administrators. */
  @Parameter(json.boolean(), optional) editable_by_user?: boolean;
  /** Whether clients also search for people by this field. */
  @Parameter(json.boolean(), optional) use_for_user_matching?: boolean;
}

/** Parameters of `POST /realm/profile_fields`. */
export class CreateFieldDto extends FieldFlagsDto {
  /**
   * Kind of the field: 1 short text, 2 long text, 3 dropdown, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.
   */
  @Parameter(json.integer(), { checked: { enum: Object.values(FieldKind) } }) field_type!: number;
  /** Name of the field. */
  @Parameter(name(), { default: '' }) name!: string;
  /** Hint for people who fill in the field. */
  @Parameter(hint(), { default: '' }) hint!: string;
  /** Options of a dropdown, or the service of an external account. */
  @Parameter(fieldData(), {
    default: {},
    example: { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } },
  })
  field_data!: FieldData;
}

/** Parameters of `PATCH /realm/profile_fields/{field_id}`. */
export class UpdateFieldDto extends FieldFlagsDto {
  /** ID of the field. */
  @PathParameter() field_id!: number;
  /** Name of the field. */
  @Parameter(name(), optional) name?: string;
  /** Hint for people who fill in the field. */
  @Parameter(hint(), optional) hint?: string;
  /** Options of a dropdown, or the service of an external account. */
  @Parameter(fieldData(), {
    ...optional,
    example: { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } },
  })
  field_data?: FieldData;
}

/** The field in the path. */
export class FieldIdDto {
  /** ID of the field. */
  @PathParameter() field_id!: number;
}

/** Parameters of `PATCH /realm/profile_fields`: the IDs of all fields, in their new order. */
export class ReorderFieldsDto {
  /** IDs of all fields, in order. */
  @Parameter(idList(), { example: [12, 11] }) order!: number[];
}

/** Parameters of `PATCH /users/me/profile_data`. */
export class UpdateProfileDataDto {
  /** Values by the IDs of their fields; null removes the value. */
  @Parameter(
    json.array(
      json.object({
        id: json.integer(),
        value: json.nullable(json.union({ str: json.text(), 'list[int]': idList() })),
      }),
      { maxItems: MAX_VALUES },
    ),
    { example: [{ id: 11, value: 'Rome' }] },
  )
  data!: { id: number; value: GivenValue | null }[];
}

/** Parameters of `DELETE /users/me/profile_data`. */
export class RemoveProfileDataDto {
  /** IDs of the fields whose values to remove. */
  @Parameter(idList(), { example: [11, 12] }) data!: number[];
}

/** Converts the parameters to a declaration. */
export function toFieldDeclaration(dto: CreateFieldDto | UpdateFieldDto): FieldDeclaration {
  return {
    name: dto.name,
    hint: dto.hint,
    data: dto.field_data,
    isInProfileSummary: dto.display_in_profile_summary,
    isRequired: dto.required,
    isEditableByUser: dto.editable_by_user,
    isUsedForMatching: dto.use_for_user_matching,
  };
}

/** The organization's custom profile fields changed; the list is complete. */
export const customProfileFieldsChanged = defineEvent<{ fields: CustomProfileFieldWire[] }>(
  'custom_profile_fields',
);

/** No custom profile field has this ID. */
export class NoSuchProfileField extends ApiError {
  constructor(fieldId: number) {
    super(`Field id ${fieldId} not found.`);
  }
}

/** Only administrators may change this field. */
export class ProfileFieldNotEditable extends refusal(
  'You are not allowed to change this field. Contact an administrator to update it.',
) {}
