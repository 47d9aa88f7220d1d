import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
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
