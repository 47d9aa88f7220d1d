import { Injectable } from '@nestjs/common';
import { MISSED_MAIL_OFF } from './unsubscribe.api';
import * as de from './words.de';
import * as en from './words';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { paragraphs } from '../../../platform/pages/forms';
import { inEach } from '../../../platform/pages/languages';
import { PageRefusal } from '../../../platform/pages/web-page';
import { SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import { SubscriptionSettingsService } from '../../channels/channels.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  actorOf,
  PersonalSettingsService,
} from '../../users/users.module';

const wordsIn = inEach<typeof en>({ en, de });

const PURPOSE = 'unsubscriptions';
const TOKEN = new RegExp(`^(\\d{1,10})-([a-z2-7]{${SIGNATURE_LENGTH}})$`);

/** Path prefix of links for unsubscribing. */
export const UNSUBSCRIBE_PATH = 'accounts/unsubscribe/missed_messages';

/** The link is incomplete, or its account has a different address now. */
class UnsubscribeLinkOver extends PageRefusal {
  constructor() {
    super((language) => {
      const { over, overAbout } = wordsIn(language).unsubscribing;
      return { title: over, body: paragraphs(overAbout) };
    }, 404);
  }
}

/**
 * Links with which people unsubscribe without signing in. Nothing is stored, and they work as long as the account has
 * the address to which the mail was sent.
 */
@Injectable()
export class Unsubscribing {
  constructor(
    private readonly links: SecretLinks,
    private readonly config: Config,
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly settings: PersonalSettingsService,
    private readonly subscriptions: SubscriptionSettingsService,
  ) {}

  urlFor(account: AccountRecord): string {
    const secret = this.links.signature(PURPOSE, groundsOf(account));
    return `${this.config.externalUrl}/${UNSUBSCRIBE_PATH}/${account.id}-${secret}`;
  }

  /** An opaque identifier that is always the same for the same text. */
  opaque(about: string): string {
    return this.links.signature(PURPOSE, `thread ${about}`);
  }

  /** @throws UnsubscribeLinkOver */
  async accountFor(token: string): Promise<AccountRecord> {
    await this.directories.catchUp();
    const [, id, secret] = TOKEN.exec(token) ?? [];
    const account = this.accounts.byId(Number(id ?? 0));
    const isMatch =
      secret !== undefined && account && this.links.matches(PURPOSE, groundsOf(account), secret);
    if (!isMatch || account.isDeleted) throw new UnsubscribeLinkOver();
    return account;
  }

  /** Disables all mail about missed messages, including settings of single channels. @throws UnsubscribeLinkOver */
  async unsubscribe(token: string): Promise<void> {
    const account = await this.accountFor(token);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      await this.settings.change(tx, row, MISSED_MAIL_OFF);
      await this.changes.save(tx, row);
    });
    const rows = await this.database.read.query<{ channel_id: number }>(
      'SELECT channel_id FROM subscription WHERE user_id = ? AND is_active = ? AND email_notifications = ?',
      [account.id, true, true],
    );
    const changes = rows.map(({ channel_id: channelId }) => ({
      channelId,
      property: 'email_notifications' as const,
      value: false,
    }));
    if (account.isActive && changes.length > 0) await this.subscriptions.change(actorOf(account), changes);
  }
}

function groundsOf({ id, emailKey }: AccountRecord): string {
  return JSON.stringify([id, emailKey]);
}
