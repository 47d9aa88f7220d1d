import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { OrganizationDirectory } from './organization.directory';
import { OrganizationSetting } from './organization-setting.entity';

/**
 * The organization's settings in memory and in their table: what each is, accepts and starts with. The feature
 * organization changes them.
 */
@Tables({ entities: [OrganizationSetting] })
@Module({ providers: [OrganizationDirectory], exports: [OrganizationDirectory] })
export class OrganizationSettingsModule {}
