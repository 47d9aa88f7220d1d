import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import { type AccountRecord, linkGrounds, type LinkGrounds } from '../../users/users.module';

const PURPOSE = 'password-resets';

/** How long a link works. */
export const RESET_SECONDS = 3_600;

const TOKEN = new RegExp(`^(\\d{1,10})-(\\d{1,12})-([a-z2-7]{${SIGNATURE_LENGTH}})$`);

/** Where links for new passwords begin. */
export const RESET_PATH = 'accounts/password/reset';

/** What decides whether a link works. */
type Grounds = LinkGrounds & Pick<AccountRecord, 'isActive' | 'isBot' | 'isDeleted'>;

/**
 * Links with which people set a new password. Nothing of them is stored: their secret part follows from the account as it
 * is, so that a link ends when it is used, and with any other change of role, password, address or key.
 */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly links: SecretLinks,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  urlFor(account: Grounds): string {
    const expiresAt = this.clock.nowSeconds() + RESET_SECONDS;
    const secret = this.links.signature(PURPOSE, linkGrounds(account, expiresAt));
    return `${this.config.externalUrl}/${RESET_PATH}/${account.id}-${expiresAt}-${secret}`;
  }

  /** The account that a link claims to be for; null for what is no link, or too old. */
  accountIdIn(token: string): number | null {
    const [, id, expiresAt] = TOKEN.exec(token) ?? [];
    return id !== undefined && Number(expiresAt) > this.clock.nowSeconds() ? Number(id) : null;
  }

  /** Whether the link was made for this account as it is. */
  isFor(token: string, account: Grounds): boolean {
    const [, id, expiresAt, secret] = TOKEN.exec(token) ?? [];
    if (secret === undefined || Number(id) !== account.id || !mayReset(account)) return false;
    return this.links.matches(PURPOSE, linkGrounds(account, Number(expiresAt)), secret);
  }
}

/** Bots have no password, and people who left do not come back with a new one. */
export function mayReset({
  isActive,
  isBot,
  isDeleted,
}: Pick<Grounds, 'isActive' | 'isBot' | 'isDeleted'>): boolean {
  return isActive && !isBot && !isDeleted;
}
