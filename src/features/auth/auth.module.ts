import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { AddressKeyGuard, BasicAuthGuard, BearerAuthGuard } from './authentication.guard';
import { BotKeys } from './bot-keys.service';
import { BrowserAdmission } from './browser-admission.service';
import { BrowserSessionsService } from './browser/browser-sessions.service';
import { FactorSetUpController } from './browser/factor-set-up.controller';
import { FactorSetUpService } from './browser/factor-set-up.service';
import { FirstSignInController } from './browser/first-sign-in.controller';
import { FirstSignInService } from './browser/first-sign-in.service';
import { CompatibilityController, HomeController } from './browser/home.controller';
import { LinkSignIn } from './browser/link-sign-in.service';
import { PasskeySetUpController } from './browser/passkey-set-up.controller';
import { PasskeySignInController } from './browser/passkey-sign-in.controller';
import { SignInController } from './browser/sign-in.controller';
import { CallerCheckService } from './caller-check.service';
import { FetchApiKeyController } from './fetch-api-key.controller';
import { ForgeryCheck } from './forgery-check.service';
import { SessionAccounts } from './session-accounts.service';
import { SignInService } from './sign-in.service';

/** Authentication: guards, API key endpoints, sign-in pages. */
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule],
  controllers: [
    FetchApiKeyController,
    HomeController,
    CompatibilityController,
    FactorSetUpController,
    FirstSignInController,
    PasskeySetUpController,
    PasskeySignInController,
    SignInController,
  ],
  providers: [
    BasicAuthGuard,
    { provide: APP_GUARD, useExisting: BasicAuthGuard },
    { provide: APP_GUARD, useClass: BearerAuthGuard },
    { provide: APP_GUARD, useClass: AddressKeyGuard },
    BotKeys,
    BrowserAdmission,
    CallerCheckService,
    SessionAccounts,
    ForgeryCheck,
    SignInService,
    BrowserSessionsService,
    FactorSetUpService,
    FirstSignInService,
    LinkSignIn,
  ],
  exports: [LinkSignIn],
})
export class AuthModule {}

// Exports for other features.
export { lead, nextPage } from './browser/next-page';
export { type FormSender, LinkSignIn } from './browser/link-sign-in.service';
export { FirstSignInService } from './browser/first-sign-in.service';
export {
  chosenHomePagePort,
  type HomePage,
  homePagePort,
  type ProviderExit,
  type ProviderExits,
  providerExitsPort,
} from './auth.hooks';
