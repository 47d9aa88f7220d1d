import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { UsersModule } from '../users/users.module';
import { BasicAuthGuard } from './basic-auth.guard';

/** Signing in: the guard in front of every route, and the endpoints that hand out API keys. */
@Module({
  imports: [UsersModule],
  providers: [{ provide: APP_GUARD, useClass: BasicAuthGuard }],
})
export class AuthModule {}
