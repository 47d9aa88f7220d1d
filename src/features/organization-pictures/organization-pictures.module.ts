import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { OrganizationPictureFiles } from './organization-picture-files.service';
import {
  OrganizationIconController,
  OrganizationLogoController,
  OrganizationPictureFilesController,
} from './organization-pictures.controller';
import { OrganizationPicturesService } from './organization-pictures.service';

/** The icon and the logos of the organization. */
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule],
  controllers: [OrganizationIconController, OrganizationLogoController, OrganizationPictureFilesController],
  providers: [OrganizationPictureFiles, OrganizationPicturesService],
  exports: [OrganizationPicturesService],
})
export class OrganizationPicturesModule {}

/** Which pictures there are, and where the file store keeps them. */

// What other features use of this one.
export { OrganizationPicturesService } from './organization-pictures.service';
export { picturePath } from './organization-picture-files.service';
export { PICTURE_KINDS } from './organization-pictures.api';
