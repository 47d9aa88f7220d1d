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
