import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { ChannelsModule } from '../channels';
import { LinkifiersModule } from '../linkifiers';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
import { FirstAccountsService } from './first-accounts.service';
import { FirstChannelService } from './first-channel.service';
import { FirstStartService } from './first-start.service';
import { OrganizationSettingsController } from './organization-settings.controller';
import { OrganizationSettingsService } from './organization-settings.service';
import { OrganizationStateService } from './organization-state.service';
import { OwnerZuliprc } from './owner-zuliprc.service';
import { ServerSettingsController } from './server-settings.controller';
import { ServerSettingsService } from './server-settings.service';

/** The organization as a whole: its first start, its settings as endpoints, what clients are told of the server. */
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
  controllers: [OrganizationSettingsController, ServerSettingsController],
  providers: [
    FirstAccountsService,
    FirstChannelService,
    FirstStartService,
    OwnerZuliprc,
    OrganizationSettingsService,
    OrganizationStateService,
    ServerSettingsService,
  ],
  exports: [FirstStartService, OwnerZuliprc],
})
export class OrganizationModule {}
