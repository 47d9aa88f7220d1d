/** What other features use of this one. Nothing else of it is imported from outside. */
export { LinkifiersModule } from './linkifiers.module';
export { playgroundRemoved } from './linkifiers.hooks';
