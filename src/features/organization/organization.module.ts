import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { LinkifiersModule } from '../linkifiers/linkifiers.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import {
  DeactivationController,
  OrganizationSettingsController,
  ServerSettingsController,
} from './organization.controller';
import { DeactivationService } from './deactivation.service';
import { FirstAccountsService } from './first-accounts.service';
import { FirstChannelService } from './first-channel.service';
import { FirstSignInFile } from './first-sign-in-file.service';
import { FirstStartService } from './first-start.service';
import { OrganizationSettingsService } from './organization-settings.service';
import { OrganizationStateService, ServerSettingsService } from './server-settings.service';
import { OwnerZuliprc } from './owner-zuliprc.service';
import { UpdateNoticeService } from './update-notice.service';
import {
  OrganizationPictureFiles,
  OrganizationPicturesService,
} from './pictures/organization-pictures.service';
import {
  OrganizationIconController,
  OrganizationLogoController,
  OrganizationPictureFilesController,
} from './pictures/organization-pictures.controller';
import { AllowedDomainsController } from './allowed-domains/allowed-domains.controller';
import { AllowedDomainsService } from './allowed-domains/allowed-domains.service';

/** First start, organization settings, pictures, allowed domains. */
@Module({
  imports: [
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    LinkifiersModule,
  ],
  controllers: [
    DeactivationController,
    OrganizationSettingsController,
    ServerSettingsController,
    OrganizationIconController,
    OrganizationLogoController,
    OrganizationPictureFilesController,
    AllowedDomainsController,
  ],
  providers: [
    DeactivationService,
    FirstAccountsService,
    FirstChannelService,
    FirstSignInFile,
    FirstStartService,
    OwnerZuliprc,
    OrganizationSettingsService,
    OrganizationStateService,
    ServerSettingsService,
    UpdateNoticeService,
    OrganizationPictureFiles,
    OrganizationPicturesService,
    AllowedDomainsService,
  ],
  exports: [
    DeactivationService,
    FirstSignInFile,
    FirstStartService,
    OwnerZuliprc,
    UpdateNoticeService,
    OrganizationPictureFiles,
    OrganizationPicturesService,
  ],
})
export class OrganizationModule {}

// Exports for other features.
export { DeactivationService } from './deactivation.service';
export { FirstSignInFile } from './first-sign-in-file.service';
export { type FirstSignIn, FirstStartService, signInNotice } from './first-start.service';
export { OwnerZuliprc } from './owner-zuliprc.service';
export { UpdateNoticeService } from './update-notice.service';
export { OrganizationPictureFiles, picturePath } from './pictures/organization-pictures.service';
export { PICTURE_KINDS } from './pictures/organization-pictures.api';
