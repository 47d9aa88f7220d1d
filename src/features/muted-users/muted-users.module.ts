import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { UsersModule } from '../users/users.module';
import { MutedUserDirectory } from './muted-user.directory';
import { MutedUsersController } from './muted-users.controller';
import { MutedUsersService } from './muted-users.service';
import { MutedUser } from './muted-user.entity';

/** Muted people. */
@Tables({ entities: [MutedUser] })
@Module({
  imports: [UsersModule],
  controllers: [MutedUsersController],
  providers: [MutedUserDirectory, MutedUsersService],
  exports: [MutedUserDirectory],
})
export class MutedUsersModule {}

// What other features use of this one.
export { MutedUserDirectory } from './muted-user.directory';
export { userMuted } from './muted-users.hooks';
