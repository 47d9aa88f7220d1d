import { Module } from '@nestjs/common';
import { MembershipModule } from '../membership/membership.module';
import { UsersModule } from '../users/users.module';
import { LoginController } from './login.controller';
import { LoginService } from './login.service';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { SessionTokens } from './session-tokens.service';

/** The companion administration interface: signing in to it, and managing people. */
@Module({
  imports: [UsersModule, MembershipModule],
  controllers: [LoginController, PeopleController],
  providers: [LoginService, PeopleService, SessionTokens],
})
export class CompanionModule {}
