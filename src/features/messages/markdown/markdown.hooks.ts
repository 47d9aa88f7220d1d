import { definePort } from '../../../platform/hooks/hook';
import type { CustomEmojiPicture, LinkFinder } from './render-context';

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
