/** What other features use of this one. Nothing else of it is imported from outside. */
export { type MuteObserver, MuteObserverRegistry } from './mute-observer.registry';
export { MutedUserDirectory } from './muted-user.directory';
export { MutedUsersModule } from './muted-users.module';
