import { Module } from '@nestjs/common';
import { OrganizationDirectory } from './organization.directory';

/**
 * The organization's settings in memory and in their table: what each is, accepts and starts with. The feature
 * organization changes them.
 */
@Module({ providers: [OrganizationDirectory], exports: [OrganizationDirectory] })
export class OrganizationSettingsModule {}
