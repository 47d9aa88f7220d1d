/** What other features use of this one. Nothing else of it is imported from outside. */
export { IntegrityModule } from './integrity.module';

/** Hooks: what else the database has to fulfil. */
export { invariantsSought } from './integrity.hooks';
