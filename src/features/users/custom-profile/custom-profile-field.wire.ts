import { FieldKind, KNOWN_EXTERNAL_ACCOUNTS } from './field-kinds';
import type { CustomProfileField } from './custom-profile-field.entity';

/** A custom profile field as clients get it. */
export interface CustomProfileFieldWire {
  readonly id: number;
  readonly name: string;
  /** The number of its kind. */
  readonly type: number;
  readonly hint: string;
  /** JSON that depends on the kind; empty if there is nothing to say. */
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

/** The available kinds by their names on the wire, each with its number and a name for people. */
export const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: FieldKind.shortText, name: 'Short text' },
  PARAGRAPH,
  DROPDOWN,
  // The names of these two for older clients.
  LONG_TEXT: PARAGRAPH,
  SELECT: DROPDOWN,
  DATE: { id: FieldKind.date, name: 'Date' },
  URL: { id: FieldKind.link, name: 'Link' },
  USER: { id: FieldKind.person, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FieldKind.externalAccount, name: 'External account' },
  PRONOUNS: { id: FieldKind.pronouns, name: 'Pronouns' },
} as const;

/** Fields that can be added to profiles without describing them. */
export const EXTERNAL_ACCOUNTS_STATE = { realm_default_external_accounts: KNOWN_EXTERNAL_ACCOUNTS };
