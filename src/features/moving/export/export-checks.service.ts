import { Injectable } from '@nestjs/common';
import { isOwner } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import {
  AccountDirectory,
  type AccountRecord,
  EmailVisibility,
  personalSetting,
} from '../../users/users.module';
import {
  type ExportConsentWire,
  ExportNeedsConsent,
  ExportTooLarge,
  NoOwnerConsents,
  NoOwnerShowsAddress,
} from './exports.api';
import { type ExportTypeName } from './export-types';

/** Most messages and bytes of files of an organization that a request may export. */
const LIMITS = { messages: 250_000, bytes: 20 * 2 ** 30 };

/** Decides whether an archive may be made, and knows who lets administrators have private data. */
@Injectable()
export class ExportChecksService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Everybody who could consent. */
  consents(): ExportConsentWire[] {
    return this.accounts
      .all()
      .filter(({ isActive, isBot }) => isActive && !isBot)
      .map((account) => ({
        user_id: account.id,
        consented: consents(account),
        email_address_visibility: account.emailVisibility,
      }));
  }

  /** Whether the organization is small enough; counts, so call it before a transaction. */
  async isSmall(type: ExportTypeName): Promise<boolean> {
    const db = this.database.background;
    const inPublic = 'WHERE channel_id IN (SELECT id FROM channel WHERE is_private = ?)';
    const messages = await db.queryOne<{ count: number }>(
      `SELECT COUNT(*) AS count FROM (
         SELECT 1 FROM message ${type === 'public' ? inPublic : ''} LIMIT ${LIMITS.messages + 1}) counted`,
      type === 'public' ? [false] : [],
    );
    if (Number(messages.count) > LIMITS.messages) return false;
    const files = await db.queryOne<{ bytes: number | null }>('SELECT SUM(size) AS bytes FROM attachment');
    return Number(files.bytes ?? 0) <= LIMITS.bytes;
  }

  /** @throws ExportTooLarge, NoOwnerConsents, NoOwnerShowsAddress, ExportNeedsConsent */
  check(type: ExportTypeName, isSmall: boolean): void {
    if (!isSmall) throw new ExportTooLarge();
    const owners = this.accounts
      .all()
      .filter((account) => account.isActive && !account.isBot && isOwner(account));
    if (type === 'full_with_consent' && !owners.some(consents)) throw new NoOwnerConsents();
    const showsAddress = ({ emailVisibility }: AccountRecord) => emailVisibility !== EmailVisibility.nobody;
    if (type === 'public' && !owners.some(showsAddress)) throw new NoOwnerShowsAddress();
    if (type === 'full_without_consent') throw new ExportNeedsConsent();
  }

  /** Whether all of the accounts consent now, by themselves or, as bots, through their owners. */
  allConsent(userIds: Iterable<number>): boolean {
    return [...userIds].every((userId) => {
      const account = this.accounts.byId(userId);
      const owner = this.accounts.byId(account?.botOwnerId ?? 0);
      return account !== undefined && (consents(account) || (account.isBot && !!owner && consents(owner)));
    });
  }
}

function consents({ settings }: AccountRecord): boolean {
  return personalSetting(settings, 'allow_private_data_export');
}
