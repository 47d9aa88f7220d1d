import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { MutedUserDirectory } from './muted-user.directory';
import { MutedUsersController } from './muted-users.controller';
import { MutedUsersService } from './muted-users.service';

/** Muted people. */
@Module({
  imports: [UsersModule],
  controllers: [MutedUsersController],
  providers: [MutedUserDirectory, MutedUsersService],
  exports: [MutedUserDirectory],
})
export class MutedUsersModule {}
