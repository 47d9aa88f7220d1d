import { definePort } from '../../../platform/hooks/hook';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester } from '../../user-groups/user-groups.module';
import type { CustomEmojiPicture, LinkFinder, UploadedMedia } from './render-context';

/** The organization's patterns that turn text into links. */
export interface Linkifiers {
  /** Those that may match in the text, in the order in which they are tried. */
  within(text: string): readonly LinkFinder[];
}

/** Provided by the feature that stores linkifiers. */
export const linkifiersPort = definePort<Linkifiers>('linkifiersPort');

/** The organization's own emoji. */
export interface CustomEmojis {
  /** Undefined where no active emoji has the name. */
  named(name: string): CustomEmojiPicture | undefined;
}

/** Provided by the feature that stores custom emoji. */
export const customEmojisPort = definePort<CustomEmojis>('customEmojisPort');

/** Pictures, sound and videos among the uploaded files. Paths are what stands after `/user_uploads/`. */
export interface UploadedFiles {
  /** Those of them that the author may read. */
  readableBy(author: Requester, paths: readonly string[]): Promise<ReadonlyMap<string, UploadedMedia>>;
  /** Those of them that are there, for text that is rendered already. */
  known(db: Queryable, paths: readonly string[]): Promise<ReadonlyMap<string, UploadedMedia>>;
}

/** Provided by the feature that stores uploaded files. */
export const uploadedFilesPort = definePort<UploadedFiles>('uploadedFilesPort');
