import { FieldKind } from './custom-profile/field-kinds';
import type { CustomProfileField } from './custom-profile-field.entity';

/** A custom profile field as clients get it; `display_in_profile_summary` is there only when true. */
export function customProfileFieldRecord(field: CustomProfileField): object {
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    hint: field.hint,
    field_data: field.fieldData,
    order: field.position,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    use_for_user_matching: field.isUsedForMatching,
    ...(field.isInProfileSummary ? { display_in_profile_summary: true } : {}),
  };
}

/** The kinds that there are, by their names on the wire, each with its number and a name for people. */
export const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: FieldKind.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: FieldKind.longText, name: 'Text (long)' },
  SELECT: { id: FieldKind.options, name: 'List of options' },
  DATE: { id: FieldKind.date, name: 'Date' },
  URL: { id: FieldKind.link, name: 'Link' },
  USER: { id: FieldKind.person, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FieldKind.externalAccount, name: 'External account' },
  PRONOUNS: { id: FieldKind.pronouns, name: 'Pronouns' },
} as const;
