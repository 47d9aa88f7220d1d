/** What other features use of this one. Nothing else of it is imported from outside. */
export { MutedUserDirectory } from './muted-user.directory';
export { userMuted } from './muted-users.hooks';
export { MutedUsersModule } from './muted-users.module';
