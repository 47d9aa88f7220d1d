/** What other features use of this one. Nothing else of it is imported from outside. */
export { organizationSettingChanged, organizationSettingsChanged } from './organization-settings.events';
export { OrganizationSettingsModule } from './organization-settings.module';
export {
  type AllowedDomain,
  type AvatarSource,
  type ByOrganizationGroupSetting,
  type EditHistoryVisibility,
  type GroupSettingDefinition,
  MAX_DAYS,
  MAX_WELCOME_TEXT_LENGTH,
  ORGANIZATION_CHANNEL_SETTINGS,
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSetting,
  type OrganizationPicture,
  type OrganizationSettings,
  type OrganizationTopicsPolicy,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from './organization-settings';
export {
  authenticationMethodsWire,
  type OrganizationSettingsWire,
  organizationSettingsWire,
  settingWire,
  wireNameOf,
} from './organization-settings.wire';
export { OrganizationDirectory } from './organization.directory';
