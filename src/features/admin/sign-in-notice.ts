import type { Config } from '../../platform/config/config';
import type { FirstSignIn } from './first-start.service';
import { writeZuliprc } from './zuliprc';

/**
 * Hands over what the first start made: writes the owner's `zuliprc` into the data folder, and returns the
 * lines that say how to sign in.
 * @param url where the server really listens
 */
export function handOverSignIn(config: Config, url: string, first: FirstSignIn): string {
  const path = writeZuliprc(config.dataDir, {
    email: first.ownerEmail,
    key: first.ownerApiKey,
    site: hasChosenPort(config) ? config.externalUrl : url,
  });
  const password = first.generatedPassword ?? 'the one in OWNER_PASSWORD';
  return [
    'The organization is new. Its owner signs in with',
    '',
    `  Address      ${first.ownerEmail}`,
    `  Password     ${password}${first.generatedPassword === null ? '' : '   (shown this once)'}`,
    `  API key      in ${path}, which any Zulip client takes as its configuration`,
  ].join('\n');
}

/** Port 0 in the address stands for whatever port the system chose. */
function hasChosenPort({ externalUrl }: Config): boolean {
  return new URL(externalUrl).port !== '0';
}
