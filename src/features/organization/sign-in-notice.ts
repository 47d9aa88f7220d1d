import type { FirstSignIn } from './first-start.service';

/**
 * Explains the first sign-in.
 * @param zuliprc path of the file with the owner's API key
 * @param page URL where the owner signs in, and chooses a password unless one was configured
 */
export function signInNotice(first: FirstSignIn, zuliprc: string, page: string): string {
  const password = first.generatedPassword ?? 'the one in OWNER_PASSWORD';
  const isMadeUp = first.generatedPassword !== null;
  return [
    'New organization. Sign in as its owner:',
    '',
    `  Email        ${first.ownerEmail}`,
    `  Password     ${password}${isMadeUp ? '   (shown only once)' : ''}`,
    `  Sign-in page ${page}${isMadeUp ? '   (works once, for 30 minutes)' : ''}`,
    `  API key      in ${zuliprc}, a configuration file for Zulip clients`,
  ].join('\n');
}
