import { Module } from '@nestjs/common';
import { MembershipModule } from '../membership';
import { UsersModule } from '../users';
import { LoginController } from './login/login.controller';
import { LoginService } from './login/login.service';
import { PeopleController } from './people/people.controller';
import { PeopleService } from './people/people.service';
import { SessionTokens } from './sessions/session-tokens.service';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsService } from './sessions/sessions.service';

/** The companion administration interface: signing in to it, who is signed in, and managing people. */
@Module({
  imports: [UsersModule, MembershipModule],
  controllers: [LoginController, PeopleController, SessionsController],
  providers: [LoginService, PeopleService, SessionTokens, SessionsService],
})
export class AdminModule {}
