/** What other features use of this one. Nothing else of it is imported from outside. */
export { PresenceModule } from './presence.module';
export { UserStatusService } from './status/user-status.service';
