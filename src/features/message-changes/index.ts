/** What other features use of this one. Nothing else of it is imported from outside. */
export { MessageChangesModule } from './message-changes.module';
export { MessageEditAccess } from './rights/message-edit.access';
