import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { RollingWindowStorage } from '../../platform/http/rate-limit.guard';
import { AdminModule } from '../admin/admin.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { MembershipModule } from '../membership/membership.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AccountIdentities1700000000040 } from './0040-account-identities.migration';
import { AccountIdentity } from './account-identity.entity';
import { DesktopSignIns1700000000064 } from './0064-desktop-sign-ins.migration';
import { DesktopSignInController } from './desktop-sign-in.controller';
import { PendingDesktopSignIn } from './desktop-sign-in.entity';
import { DesktopSignIn } from './desktop-sign-in.service';
import { LdapClient } from './ldap/ldap-client.service';
import { LdapSignIn } from './ldap/ldap-sign-in.service';
import { LdapSync } from './ldap/ldap-sync.service';
import { LogoutTokens } from './logout-tokens.service';
import { OpenIdClient } from './openid-client.service';
import { OperatorProvidersService } from './operator-providers.service';
import { ProvidedGroups } from './provided-groups.service';
import { ProviderAccounts } from './provider-accounts.service';
import { ProviderSignInController, ProviderSignOutController } from './provider-sign-in.controller';
import { ProviderFlow } from './provider-flow.service';
import { ProviderExitsService } from './provider-exits.service';
import { ProviderSignIn } from './provider-sign-in.service';
import { ProviderSignOut } from './provider-sign-out.service';
import { Saml1700000000063 } from './saml/0063-saml.migration';
import { SamlAnswer } from './saml/saml-answer.entity';
import { SamlClient } from './saml/saml-client.service';
import { SamlConsumerController, SamlSignInController } from './saml/saml.controller';
import { SignInAttempts } from './sign-in-attempts.service';
import { Scim1700000000043 } from './scim/0043-scim.migration';
import { DiscoveryController } from './scim/discovery/discovery.controller';
import { ScimGroup } from './scim/groups/scim-group.entity';
import { ScimGroupsController } from './scim/groups/scim-groups.controller';
import { ScimGroups } from './scim/groups/scim-groups.service';
import { OperatorScimService } from './scim/keys/operator-scim.service';
import { ScimKey } from './scim/keys/scim-key.entity';
import { ScimKeyGuard } from './scim/keys/scim-key.guard';
import { ScimKeysController } from './scim/keys/scim-keys.controller';
import { ScimKeys } from './scim/keys/scim-keys.service';
import { DirectoryPeople } from './scim/people/directory-people.service';
import { ScimPeople } from './scim/people/scim-people.service';
import { ScimPerson } from './scim/people/scim-person.entity';
import { ScimUsersController } from './scim/people/scim-users.controller';

/**
 * Single sign-on (OpenID Connect, SAML 2.0), sign-in with an LDAP directory, and provisioning of users and groups from
 * a company directory (SCIM 2.0).
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      AccountIdentity,
      PendingDesktopSignIn,
      SamlAnswer,
      ScimKey,
      ScimPerson,
      ScimGroup,
    ]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    MessagesModule,
    MembershipModule,
    AuthModule,
    AdminModule,
  ],
  controllers: [
    DesktopSignInController,
    ProviderSignInController,
    ProviderSignOutController,
    SamlSignInController,
    SamlConsumerController,
    ScimKeysController,
    ScimUsersController,
    ScimGroupsController,
    DiscoveryController,
  ],
  providers: [
    DesktopSignIn,
    LdapClient,
    LdapSignIn,
    LdapSync,
    LogoutTokens,
    OpenIdClient,
    OperatorProvidersService,
    ProvidedGroups,
    ProviderAccounts,
    ProviderExitsService,
    ProviderFlow,
    ProviderSignIn,
    ProviderSignOut,
    SamlClient,
    SignInAttempts,
    DirectoryPeople,
    OperatorScimService,
    RollingWindowStorage,
    ScimGroups,
    ScimKeyGuard,
    ScimKeys,
    ScimPeople,
  ],
})
@Migrations(AccountIdentities1700000000040, Scim1700000000043, Saml1700000000063, DesktopSignIns1700000000064)
export class IdentityProvidersModule {}
