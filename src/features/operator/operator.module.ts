import { Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module';
import { MembershipModule } from '../membership/membership.module';
import { OrganizationModule } from '../organization/organization.module';
import { UsersModule } from '../users/users.module';
import { OperatorAccountAccess } from './operator-account.access';
import { OperatorBotsService } from './operator-bots.service';
import { OperatorCommandsService } from './operator-commands.service';
import { OperatorCredentialsService } from './operator-credentials.service';
import { OperatorPeopleService } from './operator-people.service';
import { OrganizationStartService } from './organization-start.service';

/** What the operator of the server does about the organization and its accounts, from the command line. */
@Module({
  imports: [OrganizationModule, UsersModule, MembershipModule, AdminModule],
  providers: [
    OperatorAccountAccess,
    OperatorBotsService,
    OperatorCommandsService,
    OperatorCredentialsService,
    OperatorPeopleService,
    OrganizationStartService,
  ],
})
export class OperatorModule {}
