/** What other features use of this one. Nothing else of it is imported from outside. */
export { picturePaths } from './custom-emoji-pictures.service';
export { EmojiUnknown } from './emoji.errors';
export { EmojiLookupService } from './emoji.directory';
export { EmojiModule } from './emoji.module';
export { type EmojiReference, EmojiType } from './emoji.wire';
