/** What other features use of this one. Nothing else of it is imported from outside. */
export { ReactionsModule } from './reactions.module';
export { ReactionsService } from './reactions.service';
