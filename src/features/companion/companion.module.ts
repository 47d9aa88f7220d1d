import { Module } from '@nestjs/common';
import { MembershipModule } from '../membership/membership.module';
import { UsersModule } from '../users/users.module';
import { LoginController } from './login.controller';
import { LoginService } from './login.service';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { SessionTokens } from './session-tokens.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

/** The companion administration interface: signing in to it, who is signed in, and managing people. */
@Module({
  imports: [UsersModule, MembershipModule],
  controllers: [LoginController, PeopleController, SessionsController],
  providers: [LoginService, PeopleService, SessionTokens, SessionsService],
})
export class CompanionModule {}
