import type { FirstSignIn } from './first-start.service';

/**
 * The lines that say how to sign in for the first time.
 * @param zuliprc path of the file that holds the owner's key
 * @param page where the owner signs in with a browser, and chooses a password where none was chosen
 */
export function signInNotice(first: FirstSignIn, zuliprc: string, page: string): string {
  const password = first.generatedPassword ?? 'the one in OWNER_PASSWORD';
  const isMadeUp = first.generatedPassword !== null;
  return [
    'The organization is new. Its owner signs in with',
    '',
    `  Address      ${first.ownerEmail}`,
    `  Password     ${password}${isMadeUp ? '   (shown this once)' : ''}`,
    `  In a browser ${page}${isMadeUp ? '   (works once, for 30 minutes)' : ''}`,
    `  API key      in ${zuliprc}, which any Zulip client takes as its configuration`,
  ].join('\n');
}
