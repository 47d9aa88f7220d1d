import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from '../audit';
import { UsersModule } from '../users';
import { BasicAuthGuard, BearerAuthGuard } from './authentication.guard';
import { FetchApiKeyController } from './fetch-api-key.controller';
import { SignInService } from './sign-in.service';

/** The guards in front of every route, and the endpoints that hand out API keys. */
@Module({
  imports: [AuditModule, UsersModule],
  controllers: [FetchApiKeyController],
  providers: [
    { provide: APP_GUARD, useClass: BasicAuthGuard },
    { provide: APP_GUARD, useClass: BearerAuthGuard },
    SignInService,
  ],
})
export class AuthModule {}
