import { Module } from '@nestjs/common';
import { EmojiModule } from '../emoji';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { PresenceController } from './presence.controller';
import { PresenceDataService } from './presence-data.service';
import { PresenceDirectory } from './presence.directory';
import { PresenceListService } from './presence-list.service';
import { PresenceSettingService } from './presence-setting.service';
import { PresenceStateService } from './presence-state.service';
import { PresenceStoreService } from './presence-store.service';
import { PresenceService } from './presence.service';
import { ReadPresenceService } from './read-presence.service';
import { ReadStatusService } from './read-status.service';
import { ShownStatusService } from './shown-status.service';
import { StatusActivityService } from './status-activity.service';
import { UserStatusController } from './user-status.controller';
import { UserStatusRowsService } from './user-status-rows.service';
import { UserStatusService } from './user-status.service';
import { UserStatusStateService } from './user-status-state.service';

/** Who is there, and what people say of themselves. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, EmojiModule],
  controllers: [PresenceController, UserStatusController],
  providers: [
    PresenceDataService,
    PresenceDirectory,
    PresenceStoreService,
    PresenceListService,
    PresenceService,
    ReadPresenceService,
    PresenceSettingService,
    PresenceStateService,
    UserStatusRowsService,
    UserStatusService,
    ReadStatusService,
    StatusActivityService,
    UserStatusStateService,
    ShownStatusService,
  ],
  exports: [UserStatusService],
})
export class PresenceModule {}
