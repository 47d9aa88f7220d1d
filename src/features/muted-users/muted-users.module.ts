import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { MuteObserverRegistry } from './mute-observer.registry';
import { MutedUserDirectory } from './muted-user.directory';
import { MutedUsersController } from './muted-users.controller';
import { MutedUsersDataService } from './muted-users-data.service';
import { MutedUsersService } from './muted-users.service';
import { MutedUsersStateService } from './muted-users-state.service';

/** Whom people do not want to hear. */
@Module({
  imports: [UsersModule],
  controllers: [MutedUsersController],
  providers: [
    MutedUserDirectory,
    MuteObserverRegistry,
    MutedUsersDataService,
    MutedUsersService,
    MutedUsersStateService,
  ],
  exports: [MutedUserDirectory, MuteObserverRegistry],
})
export class MutedUsersModule {}
