import { Injectable } from '@nestjs/common';
import type { Role } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelDirectory } from '../../channels/channels.module';
import { MessageCountsService } from '../../messages/messages.module';
import { GroupDirectory, type GroupObjection, SoleHolderService } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { PersonInUse } from './people.api';
import type { PersonReferences } from './person-references';

const TO_DELETE = 'Deactivate the person instead, or hand over what is named.';
const TO_DEACTIVATE = 'Hand that over first.';

/**
 * Refuses changes that would leave something without the person it needs, and lists what that is. Requires an exclusive
 * transaction, in which memory equals the database.
 */
@Injectable()
export class PersonReferencesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly groups: GroupDirectory,
    private readonly holders: SoleHolderService,
    private readonly messages: MessageCountsService,
  ) {}

  /** @throws PersonInUse */
  async requireDeletable(tx: Transaction, account: AccountRecord): Promise<void> {
    const sent = await this.messages.sentBy(tx, account.id);
    this.require(TO_DELETE, {
      ...(sent ? { messages: { count: sent.count, newest_message_id: sent.newestId } } : {}),
      ...this.bots(account, () => true),
      ...this.permissions(this.holders.dependentsOf(account, null)),
    });
  }

  /** Bots that are already deactivated do not count. @throws PersonInUse */
  requireDeactivatable(account: AccountRecord): void {
    this.require(TO_DEACTIVATE, {
      ...this.bots(account, ({ isActive }) => isActive),
      ...this.permissions(this.holders.dependentsOf(account, null)),
    });
  }

  /** @throws PersonInUse */
  requireRoleChangeable(account: AccountRecord, role: Role): void {
    this.require(TO_DEACTIVATE, this.permissions(this.holders.dependentsOf(account, role)));
  }

  private require(advice: string, references: PersonReferences): void {
    if (Object.keys(references).length > 0) throw new PersonInUse(advice, references);
  }

  private bots(
    { id }: AccountRecord,
    counts: (bot: AccountRecord) => boolean,
  ): Pick<PersonReferences, 'bots'> {
    const bots = this.accounts.all().filter((bot) => bot.isBot && bot.botOwnerId === id && counts(bot));
    if (bots.length === 0) return {};
    return {
      bots: bots.map((bot) => ({ user_id: bot.id, full_name: bot.fullName, is_active: bot.isActive })),
    };
  }

  private permissions(objections: readonly GroupObjection[]): PersonReferences {
    const channels = objections.flatMap((each) =>
      each.type === 'channel'
        ? {
            channel_id: each.channel_id,
            name: this.channels.byId(each.channel_id)?.name ?? '',
            settings: each.settings,
          }
        : [],
    );
    const groups = objections.flatMap((each) =>
      each.type === 'user_group'
        ? {
            group_id: each.group_id,
            name: this.groups.namedById(each.group_id)?.name ?? '',
            settings: each.settings,
          }
        : [],
    );
    const settings = objections.flatMap((each) => (each.type === 'realm' ? each.settings : []));
    return {
      ...(channels.length > 0 ? { channels } : {}),
      ...(groups.length > 0 ? { user_groups: groups } : {}),
      ...(settings.length > 0 ? { organization: { settings } } : {}),
    };
  }
}
