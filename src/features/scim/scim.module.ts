import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/tables';
import { RollingWindowStorage } from '../../platform/http/rate-limit.guard';
import { AdminModule } from '../admin/admin.module';
import { AuditModule } from '../audit/audit.module';
import { MembershipModule } from '../membership/membership.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { Scim1700000000043 } from './0043-scim.migration';
import { DiscoveryController } from './discovery/discovery.controller';
import { ScimGroup } from './groups/scim-group.entity';
import { ScimGroupsController } from './groups/scim-groups.controller';
import { ScimGroups } from './groups/scim-groups.service';
import { OperatorScimService } from './keys/operator-scim.service';
import { ScimKey } from './keys/scim-key.entity';
import { ScimKeyGuard } from './keys/scim-key.guard';
import { ScimKeysController } from './keys/scim-keys.controller';
import { ScimKeys } from './keys/scim-keys.service';
import { DirectoryPeople } from './people/directory-people.service';
import { ScimPeople } from './people/scim-people.service';
import { ScimPerson } from './people/scim-person.entity';
import { ScimUsersController } from './people/scim-users.controller';

/** Provisioning of people and groups by a company directory (SCIM 2.0). */
@Module({
  imports: [
    TypeOrmModule.forFeature([ScimKey, ScimPerson, ScimGroup]),
    AuditModule,
    UsersModule,
    UserGroupsModule,
    MembershipModule,
    AdminModule,
  ],
  controllers: [ScimKeysController, ScimUsersController, ScimGroupsController, DiscoveryController],
  providers: [
    DirectoryPeople,
    OperatorScimService,
    RollingWindowStorage,
    ScimGroups,
    ScimKeyGuard,
    ScimKeys,
    ScimPeople,
  ],
})
@Migrations(Scim1700000000043)
export class ScimModule {}
