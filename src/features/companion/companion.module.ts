import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { LoginController } from './login.controller';
import { LoginService } from './login.service';
import { SessionTokens } from './session-tokens.service';

/** The companion administration interface: signing in to it. */
@Module({
  imports: [UsersModule],
  controllers: [LoginController],
  providers: [LoginService, SessionTokens],
})
export class CompanionModule {}
