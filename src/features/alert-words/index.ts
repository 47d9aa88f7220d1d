/** What other features use of this one. Nothing else of it is imported from outside. */
export { AlertWordDirectory } from './alert-word.directory';
export { AlertWordsModule } from './alert-words.module';
