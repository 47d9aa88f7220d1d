/**
 * The module in which class-transformer stores the metadata of its decorators. It ships the types under another path.
 */
declare module 'class-transformer/cjs/storage' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}
