import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationDirectory } from './organization.directory';
import { OrganizationSetting } from './organization-setting.entity';

/** The organization's settings: table, directory, defaults. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationSetting])],
  providers: [OrganizationDirectory],
  exports: [OrganizationDirectory],
})
export class OrganizationSettingsModule {}

// Exports for other features.
export {
  organizationSettingChanged,
  organizationSettingsChanged,
  authenticationMethodsWire,
  type OrganizationSettingsWire,
  organizationSettingsWire,
  settingWire,
  wireNameOf,
} from './settings-records.api';
export {
  type AllowedDomain,
  type AvatarSource,
  type ByOrganizationGroupSetting,
  type EditHistoryVisibility,
  FACTOR_AUDIENCES,
  type FactorRequirement,
  type GroupSettingDefinition,
  MAX_DAYS,
  MAX_WELCOME_TEXT_LENGTH,
  ORGANIZATION_CHANNEL_SETTINGS,
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
  ORGANIZATION_SETTING_DEFAULTS,
  type OrganizationGroupSetting,
  type OrganizationPicture,
  type OrganizationSettings,
  type OrganizationTopicsPolicy,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from './organization-settings';
export { OrganizationDirectory, type SignInMethod } from './organization.directory';
