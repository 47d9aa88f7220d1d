import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { LinkifiersModule } from '../linkifiers/linkifiers.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationPicturesModule } from '../organization-pictures/organization-pictures.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { DeactivationController } from './deactivation.controller';
import { DeactivationService } from './deactivation.service';
import { FirstAccountsService } from './first-accounts.service';
import { FirstChannelService } from './first-channel.service';
import { FirstStartService } from './first-start.service';
import { OrganizationSettingsController } from './organization-settings.controller';
import { OrganizationSettingsService } from './organization-settings.service';
import { OrganizationStateService } from './organization-state.service';
import { OwnerZuliprc } from './owner-zuliprc.service';
import { ServerSettingsController } from './server-settings.controller';
import { ServerSettingsService } from './server-settings.service';
import { UpdateNoticeService } from './update-notice.service';

/** The organization as a whole: its first start, its settings as endpoints, what clients are told of the server. */
@Module({
  imports: [
    AuditModule,
    OrganizationSettingsModule,
    OrganizationPicturesModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    LinkifiersModule,
  ],
  controllers: [DeactivationController, OrganizationSettingsController, ServerSettingsController],
  providers: [
    DeactivationService,
    FirstAccountsService,
    FirstChannelService,
    FirstStartService,
    OwnerZuliprc,
    OrganizationSettingsService,
    OrganizationStateService,
    ServerSettingsService,
    UpdateNoticeService,
  ],
  exports: [DeactivationService, FirstStartService, OwnerZuliprc, UpdateNoticeService],
})
export class OrganizationModule {}

// What other features use of this one.
export { DeactivationService } from './deactivation.service';
export { type FirstSignIn, FirstStartService } from './first-start.service';
export { OwnerZuliprc } from './owner-zuliprc.service';
export { signInNotice } from './sign-in-notice';
export { UpdateNoticeService } from './update-notice.service';
