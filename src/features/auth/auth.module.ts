import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from '../audit';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { AddressKeyGuard, BasicAuthGuard, BearerAuthGuard } from './authentication.guard';
import { BotKeys } from './bot-keys.service';
import { BrowserAdmission } from './browser-admission.service';
import { BrowserSessionsService } from './browser/browser-sessions.service';
import { FirstSignInController } from './browser/first-sign-in.controller';
import { FirstSignInService } from './browser/first-sign-in.service';
import { CompatibilityController, HomeController } from './browser/home.controller';
import { SignInController } from './browser/sign-in.controller';
import { CallerCheckService } from './caller-check.service';
import { FetchApiKeyController } from './fetch-api-key.controller';
import { ForgeryCheck } from './forgery-check.service';
import { SessionAccounts } from './session-accounts.service';
import { SignInService } from './sign-in.service';

/** The guards in front of every route, the endpoints that hand out API keys, and the pages where people sign in. */
@Module({
  imports: [AuditModule, OrganizationSettingsModule, UsersModule],
  controllers: [
    FetchApiKeyController,
    HomeController,
    CompatibilityController,
    FirstSignInController,
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
    FirstSignInService,
  ],
})
export class AuthModule {}
