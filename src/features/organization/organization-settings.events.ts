import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { OrganizationSettingsWire } from './organization-settings.wire';

/** One organization setting changed (messages reference 8.5). */
const settingChanged = defineEvent<{
  property: keyof OrganizationSettingsWire;
  value: OrganizationSettingsWire[keyof OrganizationSettingsWire];
}>('realm', 'update');

/** Several organization settings changed together. */
export const organizationSettingsChanged = defineEvent<{
  property: 'default';
  data: Partial<OrganizationSettingsWire>;
}>('realm', 'update_dict');

/** One organization setting changed. */
export function organizationSettingChanged<Name extends keyof OrganizationSettingsWire>(
  property: Name,
  value: OrganizationSettingsWire[Name],
): ServerEvent {
  return settingChanged({ property, value });
}
