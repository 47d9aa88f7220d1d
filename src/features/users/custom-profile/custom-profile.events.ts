import { defineEvent } from '../../../platform/events/server-event';
import type { CustomProfileFieldWire } from './custom-profile-field.wire';

/** The organization's custom profile fields changed; the list is complete. */
export const customProfileFieldsChanged = defineEvent<{ fields: CustomProfileFieldWire[] }>(
  'custom_profile_fields',
);
