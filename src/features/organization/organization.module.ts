import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { ChannelsModule } from '../channels';
import { LinkifiersModule } from '../linkifiers';
import { MessagesModule } from '../messages';
import { OrganizationPicturesModule } from '../organization-pictures';
import { OrganizationSettingsModule } from '../organization-settings';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
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
