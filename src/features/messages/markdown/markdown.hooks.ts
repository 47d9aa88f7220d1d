import { definePort } from '../../../platform/hooks/hook';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester } from '../../user-groups/user-groups.module';
import type { CustomEmojiPicture, LinkFinder, UploadedMedia } from './render-context';

/** The organization's linkifiers: patterns that turn text into links. */
export interface Linkifiers {
  /** Linkifiers that may match the text, in the order of precedence. */
  within(text: string): readonly LinkFinder[];
}

/** Provided by the feature that stores linkifiers. */
export const linkifiersPort = definePort<Linkifiers>('linkifiersPort');

/** The organization's own emoji. */
export interface CustomEmojis {
  /** Undefined if no active emoji has the name. */
  named(name: string): CustomEmojiPicture | undefined;
}

/** Provided by the feature that stores custom emoji. */
export const customEmojisPort = definePort<CustomEmojis>('customEmojisPort');

/** Images, audio and video among the uploaded files. Paths are the part of the URL after `/user_uploads/`. */
export interface UploadedFiles {
  /** The files that the author may read. */
  readableBy(author: Requester, paths: readonly string[]): Promise<ReadonlyMap<string, UploadedMedia>>;
  /** The files that still exist, for text that has already been rendered. */
  known(db: Queryable, paths: readonly string[]): Promise<ReadonlyMap<string, UploadedMedia>>;
}

/** Provided by the feature that stores uploaded files. */
export const uploadedFilesPort = definePort<UploadedFiles>('uploadedFilesPort');
