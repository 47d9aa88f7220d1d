import { inEach, type Translated } from '../../platform/pages/languages';
import * as de from './words.de';
import * as en from './words';

/** The texts of the pages of identity providers, in one language. */
export type Words = Translated<typeof en>;

/** Those texts. */
export const wordsIn = inEach<typeof en>({ en, de });
