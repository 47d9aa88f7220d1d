/** Languages into which the console or other apps are translated. */
export const LANGUAGES =
  'ar bg ca cs da de en en-gb es fa fi fr gl hi hu id it ja ko lt nl pl pt pt-br ro ru sv ta tr uk vi zh-hans zh-hant'.split(
    ' ',
  );

/** The name of a language in that language. */
export function languageName(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}
