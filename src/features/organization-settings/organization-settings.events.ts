import { keysOf } from '../../platform/collections';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { AuthenticationMethodsWire, OrganizationSettingsWire } from './organization-settings.wire';

/** Settings that clients have always been told of as those of several that belong together. */
const TOLD_TOGETHER: readonly (keyof OrganizationSettingsWire)[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'topics_policy',
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
    readonly authentication_methods?: AuthenticationMethodsWire;
  };
}>('realm', 'update_dict');

/**
 * A setting changed, in the form in which clients expect this one.
 * @param shown the setting under its name on the wire, and what changed with it for older clients
 */
export function organizationSettingChanged(shown: Partial<OrganizationSettingsWire>): ServerEvent[] {
  const properties = keysOf(shown);
  if (properties.some((property) => TOLD_TOGETHER.includes(property))) {
    return [organizationSettingsChanged({ property: 'default', data: shown })];
  }
  return properties.map((property) => settingChanged({ property, value: shown[property]! }));
}
