import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { THE_SERVER } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { StartRefused } from '../../platform/config/start-refused';
import { Database } from '../../platform/database/database.service';
import { readState, writeStateOnce } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { Passwords } from '../../platform/secrets/passwords';
import { STRONGER_PASSWORD } from '../../platform/secrets/secrets.errors';
import { AuditLog } from '../audit/audit.module';
import { FirstAccountsService } from './first-accounts.service';
import { FirstChannelService } from './first-channel.service';
import { OwnerZuliprc } from './owner-zuliprc.service';

/** The owner's credentials for the first sign-in. */
export interface FirstSignIn {
  readonly ownerEmail: string;
  readonly ownerApiKey: string;
  /** Null if OWNER_PASSWORD is configured. */
  readonly generatedPassword: string | null;
}

/** The operator configured an owner password that is easy to guess. */
class OwnerPasswordTooWeak extends StartRefused {
  constructor() {
    super(
      `The password in OWNER_PASSWORD is too weak. ${STRONGER_PASSWORD} If OWNER_PASSWORD is not set, one is generated.`,
    );
  }
}

const STATE_KEY = 'first_start';

/**
 * Sets up an organization in an empty database: groups, system bots, an owner, and a default channel with a welcome
 * message. Completion is recorded last, after the server listens and has printed how to sign in: a start that was
 * interrupted, or whose port was in use, is resumed, and later starts change nothing.
 */
@Injectable()
export class FirstStartService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly accounts: FirstAccountsService,
    private readonly channel: FirstChannelService,
    private readonly audit: AuditLog,
    private readonly zuliprc: OwnerZuliprc,
  ) {}

  /**
   * @returns how to sign in, to be followed by {@link finish}; null if the organization already exists
   * @throws OwnerEmailUnusable, OwnerPasswordTooWeak
   */
  async run(): Promise<FirstSignIn | null> {
    if ((await readState(this.database.read, STATE_KEY)) !== null) return null;
    this.accounts.requireUsableOwnerEmail();
    const { ownerEmail, ownerPassword } = this.config;
    const local = ownerEmail?.split('@')[0] ?? '';
    if (ownerPassword !== null && !this.passwords.accepts(ownerPassword, [local]))
      throw new OwnerPasswordTooWeak();
    const password = ownerPassword ?? randomBytes(16).toString('base64url');
    const passwordHash = await this.passwords.hash(password);
    await this.transactions.runExclusive(async (tx) => {
      if (this.accounts.findOwner()) await this.accounts.takeUp(tx, passwordHash);
      else {
        await this.accounts.create(tx, passwordHash);
        this.audit.record(tx, THE_SERVER, 'organization.created', {});
      }
    });
    const owner = this.accounts.owner();
    await this.channel.create(owner);
    return {
      ownerEmail: owner.deliveryEmail,
      ownerApiKey: this.apiKeys.apiKeyFor(owner.keyNonce),
      generatedPassword: ownerPassword === null ? password : null,
    };
  }

  /**
   * Writes the owner's `zuliprc` into the data folder.
   * @param url the URL on which the server listens
   * @returns the path of the file
   */
  handOver(url: string, first: FirstSignIn): string {
    return this.zuliprc.write({
      email: first.ownerEmail,
      key: first.ownerApiKey,
      site: this.config.siteAt(url),
    });
  }

  /** Records that the operator was told how to sign in, so that later starts do not repeat it. */
  async finish(): Promise<void> {
    await this.transactions.run((tx) => writeStateOnce(tx, STATE_KEY, 'done'));
  }
}

/**
 * Explains the first sign-in.
 * @param zuliprc path of the file with the owner's API key
 * @param page URL where the owner signs in, and chooses a password unless one was configured
 * @param isKept whether the text is stored until the sign-in, rather than printed
 */
export function signInNotice(first: FirstSignIn, zuliprc: string, page: string, isKept: boolean): string {
  const password = first.generatedPassword ?? 'the one in OWNER_PASSWORD';
  const isMadeUp = first.generatedPassword !== null;
  return [
    'New organization. Sign in as its owner:',
    '',
    `  Email        ${first.ownerEmail}`,
    `  Password     ${password}${isMadeUp && !isKept ? '   (shown only once)' : ''}`,
    `  Sign-in page ${page}${isMadeUp ? '   (works once, for 30 minutes)' : ''}`,
    `  API key      in ${zuliprc}, a configuration file for Zulip clients`,
  ].join('\n');
}
