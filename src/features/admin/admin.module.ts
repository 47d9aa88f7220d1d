import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { MembershipModule } from '../membership/membership.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationModule } from '../organization/organization.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AuditCommandsService } from './audit/audit-commands.service';
import { AuditLogController } from './audit/audit-log.controller';
import { AuditLogService } from './audit/audit-log.service';
import { FactorsController } from './factors/factors.controller';
import { FactorsService } from './factors/factors.service';
import { PasskeysController } from './factors/passkeys.controller';
import { OwnPasskeysService } from './factors/passkeys.service';
import { KeysController } from './keys/keys.controller';
import { KeysService } from './keys/keys.service';
import { LoginController } from './login/login.controller';
import { LoginService } from './login/login.service';
import { ReauthenticationService } from './login/reauthentication.service';
import { ImportPeopleService } from './operator/import-people.service';
import { OperatorAccountsService } from './operator/operator-accounts.service';
import { OperatorInvitationsService } from './operator/operator-invitations.service';
import { OperatorFactorsService } from './operator/operator-factors.service';
import { OperatorKeysService } from './operator/operator-keys.service';
import { OrganizationCommandsService } from './operator/organization-commands.service';
import { OrganizationStartService } from './operator/organization-start.service';
import { AdministerPersonService } from './people/administer-person.service';
import { DeletePersonService } from './people/delete-person.service';
import { PeopleController } from './people/people.controller';
import { PeopleService } from './people/people.service';
import { PersonAccess } from './people/person.access';
import { PersonReferencesService } from './people/person-references.service';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsService } from './sessions/sessions.service';

/** Companion interface for administrators, and operator commands for accounts. */
@Module({
  imports: [
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    MembershipModule,
    OrganizationModule,
  ],
  controllers: [
    AuditLogController,
    FactorsController,
    PasskeysController,
    KeysController,
    LoginController,
    PeopleController,
    SessionsController,
  ],
  providers: [
    FactorsService,
    OwnPasskeysService,
    KeysService,
    LoginService,
    ReauthenticationService,
    PersonAccess,
    PeopleService,
    AdministerPersonService,
    DeletePersonService,
    PersonReferencesService,
    SessionsService,
    ImportPeopleService,
    OperatorAccountsService,
    OperatorFactorsService,
    OperatorInvitationsService,
    OperatorKeysService,
    OrganizationCommandsService,
    OrganizationStartService,
    AuditLogService,
    AuditCommandsService,
  ],
  exports: [PersonReferencesService],
})
export class AdminModule {}

// Exports for other features.
export { PersonReferencesService } from './people/person-references.service';
