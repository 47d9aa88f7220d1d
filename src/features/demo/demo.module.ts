import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { MembershipModule } from '../membership/membership.module';
import { FlagsModule } from '../flags/flags.module';
import { MessagesModule } from '../messages/messages.module';
import { PresenceModule } from '../presence/presence.module';
import { ReactionsModule } from '../reactions/reactions.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { DemoMessagesService } from './demo-messages.service';
import { DemoPeopleService } from './demo-people.service';
import { DemoPlacesService } from './demo-places.service';
import { MakeDemoService } from './make-demo.service';

/** A sample organization to try things with: makes people, channels, messages, reactions. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    FlagsModule,
    MembershipModule,
    ReactionsModule,
    PresenceModule,
  ],
  providers: [DemoMessagesService, DemoPeopleService, DemoPlacesService, MakeDemoService],
})
export class DemoModule {}
