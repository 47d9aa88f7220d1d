import type { ApiError } from '../errors/api-error';
import { inEach, type PageLanguage } from './languages';
import * as de from './words.de';
import * as en from './words';
import { type Html, markup } from './web-page';

/** The texts that all pages share. */
export const pageWords = inEach<typeof en>({ en, de });

/** An error as pages show it. One without a translation stays in the words of the API, and is marked as English. */
export function refusalText({ message, name, advisedMessage }: ApiError, language: PageLanguage): Html {
  const refusals: Readonly<Record<string, string>> = pageWords(language).refusals;
  const text = refusals[message] ?? refusals[name];
  return text === undefined ? markup`<span lang="en">${advisedMessage}</span>` : markup`${text}`;
}

/** A duration, such as "5 minutes". */
export function minutesText(count: number, language: PageLanguage): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(
    count,
  );
}
