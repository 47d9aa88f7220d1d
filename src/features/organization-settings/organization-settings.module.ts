import { Module } from '@nestjs/common';
import { OrganizationDirectory } from './organization.directory';

/** The organization's settings, readable by everything above. Changing them is the administration's. */
@Module({ providers: [OrganizationDirectory], exports: [OrganizationDirectory] })
export class OrganizationSettingsModule {}
