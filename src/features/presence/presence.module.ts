import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditModule } from '../audit/audit.module';
import { EmojiModule } from '../emoji/emoji.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { PresenceController } from './sightings/presence.controller';
import { PresenceDirectory } from './sightings/presence.directory';
import { PresenceListService } from './sightings/presence-list.service';
import { PresenceService } from './sightings/presence.service';
import { PresenceStoreService } from './sightings/presence-store.service';
import { ShownStatusService } from './status/shown-status.service';
import { UserStatusController } from './status/user-status.controller';
import { UserStatusService } from './status/user-status.service';
import { Presence } from './sightings/presence.entity';
import { UserStatus } from './status/user-status.entity';

/** Who is there, and the status that people set. */
@Tables({ entities: [Presence, UserStatus] })
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule, EmojiModule],
  controllers: [PresenceController, UserStatusController],
  providers: [
    PresenceDirectory,
    PresenceStoreService,
    PresenceListService,
    PresenceService,
    UserStatusService,
    ShownStatusService,
  ],
  exports: [UserStatusService],
})
export class PresenceModule {}

// What other features use of this one.
export { UserStatusService } from './status/user-status.service';
