import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { ChannelsModule } from '../channels';
import { MembershipModule } from '../membership';
import { FlagsModule } from '../flags';
import { MessagesModule } from '../messages';
import { PresenceModule } from '../presence';
import { ReactionsModule } from '../reactions';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
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
