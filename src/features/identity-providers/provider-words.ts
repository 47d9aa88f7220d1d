import { inEach, type Translated } from '../../platform/pages/languages';
import * as de from './words.de';
import * as en from './words';

/** Texts of the identity provider pages in one language. */
export type Words = Translated<typeof en>;

/** Returns the texts in a language. */
export const wordsIn = inEach<typeof en>({ en, de });
