import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { OrganizationSettingsWire } from './organization-settings.wire';

/** Settings that clients have always been told of as those of several that belong together. */
const TOLD_TOGETHER: readonly (keyof OrganizationSettingsWire)[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
];

/** One organization setting changed. */
const settingChanged = defineEvent<{
  property: keyof OrganizationSettingsWire;
  value: OrganizationSettingsWire[keyof OrganizationSettingsWire];
}>('realm', 'update');

/** Several organization settings changed together, or one that belongs to others. */
export const organizationSettingsChanged = defineEvent<{
  property: 'default';
  data: Partial<OrganizationSettingsWire> & {
    /** HTML of the description. */
    readonly rendered_description?: string;
  };
}>('realm', 'update_dict');

/** One organization setting changed, in the form in which clients expect this one. */
export function organizationSettingChanged<Name extends keyof OrganizationSettingsWire>(
  property: Name,
  value: OrganizationSettingsWire[Name],
): ServerEvent {
  if (!TOLD_TOGETHER.includes(property)) return settingChanged({ property, value });
  return organizationSettingsChanged({ property: 'default', data: { [property]: value } });
}
