import type { FirstSignIn } from './first-start.service';

/**
 * The lines that say how to sign in for the first time.
 * @param zuliprc path of the file that holds the owner's key
 */
export function signInNotice(first: FirstSignIn, zuliprc: string): string {
  const password = first.generatedPassword ?? 'the one in OWNER_PASSWORD';
  return [
    'The organization is new. Its owner signs in with',
    '',
    `  Address      ${first.ownerEmail}`,
    `  Password     ${password}${first.generatedPassword === null ? '' : '   (shown this once)'}`,
    `  API key      in ${zuliprc}, which any Zulip client takes as its configuration`,
  ].join('\n');
}
