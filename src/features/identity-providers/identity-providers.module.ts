import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/tables';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { MembershipModule } from '../membership/membership.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { AccountIdentities1700000000040 } from './0040-account-identities.migration';
import { AccountIdentity } from './account-identity.entity';
import { LogoutTokens } from './logout-tokens.service';
import { OpenIdClient } from './openid-client.service';
import { OperatorProvidersService } from './operator-providers.service';
import { ProviderAccounts } from './provider-accounts.service';
import { ProviderSignInController, ProviderSignOutController } from './provider-sign-in.controller';
import { ProviderSignIn } from './provider-sign-in.service';
import { ProviderSignOut } from './provider-sign-out.service';
import { SignInAttempts } from './sign-in-attempts.service';

/** Single sign-on with identity providers (OpenID Connect). */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountIdentity]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    MembershipModule,
    AuthModule,
  ],
  controllers: [ProviderSignInController, ProviderSignOutController],
  providers: [
    LogoutTokens,
    OpenIdClient,
    OperatorProvidersService,
    ProviderAccounts,
    ProviderSignIn,
    ProviderSignOut,
    SignInAttempts,
  ],
})
@Migrations(AccountIdentities1700000000040)
export class IdentityProvidersModule {}
