import { defineEvent } from '../../platform/events/server-event';

/** One organization setting changed (messages reference 8.5). */
export const organizationSettingChanged = defineEvent<{ property: string; value: unknown }>(
  'realm',
  'update',
);

/** Several organization settings changed together, among them all that name a group. */
export const organizationSettingsChanged = defineEvent<{
  property: 'default';
  data: Record<string, unknown>;
}>('realm', 'update_dict');
