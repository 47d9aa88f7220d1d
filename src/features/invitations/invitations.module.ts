import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { DefaultChannelGroupsModule } from '../default-channel-groups/default-channel-groups.module';
import { MembershipModule } from '../membership/membership.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { InvitationTermsService } from './inviting/invitation-terms.service';
import { InvitationsController } from './inviting/invitations.controller';
import { InvitationsStateService } from './inviting/invitations-state.service';
import { InvitedAddressesService } from './inviting/invited-addresses.service';
import { InviteService } from './inviting/invite.service';
import { ManageInvitationsService } from './inviting/manage-invitations.service';
import { JoinNoticeService } from './joining/join-notice.service';
import { JoinController } from './joining/join.controller';
import { JoinService } from './joining/join.service';
import { InvitationAudienceService } from './records/invitation-audience.service';
import { InvitationEndService } from './records/invitation-end.service';
import { InvitationExpiry } from './records/invitation-expiry.service';
import { InvitationLinks } from './records/invitation-links.service';
import { InvitationMailService } from './records/invitation-mail.service';
import { InvitationAccess } from './records/invitation.access';
import { Invitation } from './records/invitation.entity';

/** Inviting people to the organization, and what they find who follow the link. */
@Tables({ entities: [Invitation] })
@Module({
  imports: [
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    DefaultChannelGroupsModule,
    MessagesModule,
    MembershipModule,
  ],
  controllers: [InvitationsController, JoinController],
  providers: [
    InvitationAccess,
    InvitationAudienceService,
    InvitationEndService,
    InvitationExpiry,
    InvitationLinks,
    InvitationMailService,
    InvitationTermsService,
    InvitationsStateService,
    InvitedAddressesService,
    InviteService,
    JoinNoticeService,
    JoinService,
    ManageInvitationsService,
  ],
  exports: [InviteService],
})
export class InvitationsModule {}

// Inviting people.

// What other features use of this one.
export { InviteService } from './inviting/invite.service';
export { InvitationFailed } from './records/invitation-records.api';
