import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization';
import { MembershipModule } from '../../membership';
import { OrganizationSettingsModule } from '../../organization-settings';
import { UsersModule } from '../../users';
import { OperatorAccountAccess } from './operator-account.access';
import { OperatorBotsService } from './operator-bots.service';
import { OperatorCommandsService } from './operator-commands.service';
import { OperatorCredentialsService } from './operator-credentials.service';
import { OperatorPeopleService } from './operator-people.service';
import { OrganizationStartService } from './organization-start.service';

/** What the operator of the server does about the organization and its accounts, from the command line. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, MembershipModule, OrganizationModule],
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
