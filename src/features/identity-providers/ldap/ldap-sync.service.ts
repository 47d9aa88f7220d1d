import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { LdapSettings } from '../../../platform/config/ldap-settings';
import { Database } from '../../../platform/database/database.service';
import { readState, writeState } from '../../../platform/database/server-state';
import { TransactionService } from '../../../platform/database/transaction.service';
import { PeriodicTask, ProcessPurpose } from '../../../platform/lifecycle/periodic-task';
import { entityRows } from '../../../platform/sql/entity-rows';
import { AccountActivityService, OrganizationOwners } from '../../membership/membership.module';
import { SystemMessageService } from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';
import { AccountIdentity } from '../account-identity.entity';
import { byDirectory, ProvidedGroups } from '../provided-groups.service';
import type { DirectoryPerson } from './directory-person';
import { LdapClient } from './ldap-client.service';
import { sourceOf } from './ldap-sign-in.service';

const INTERVAL_SECONDS = 3_600;

/** State key: when any node last read the directory, in UNIX seconds. */
const READ_AT = 'ldap_read_at';

/** Maximum people, or share of people, whichever is more, to deactivate at once; more suggests wrong settings. */
const FEW = 5;
const SHARE = 0.1;

/** Notify owners about the same problem at most once a day. */
const SILENCE_SECONDS = 86_400;

/** An account linked to the directory, and its entry if it still exists. */
interface Linked {
  readonly userId: number;
  readonly entry: DirectoryPerson | undefined;
}

/** Syncs with the directory hourly: deactivates people who are disabled there, and updates their groups. */
@Injectable()
export class LdapSync implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LdapSync.name);
  private readonly task = new PeriodicTask('LdapSync', () => this.runIfDue());
  private toldAt = 0;

  constructor(
    private readonly settings: LdapSettings,
    private readonly client: LdapClient,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly activity: AccountActivityService,
    private readonly owners: OrganizationOwners,
    private readonly groups: ProvidedGroups,
    private readonly messages: SystemMessageService,
    private readonly clock: Clock,
    private readonly purpose: ProcessPurpose,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.purpose.isServer || !this.settings.directory) return;
    this.task.start(INTERVAL_SECONDS * 1000, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Lets only one node per interval read the directory. */
  private async runIfDue(): Promise<void> {
    const now = this.clock.nowSeconds();
    const isDue = await this.transactions.runExclusive(async (tx) => {
      const readAt = Number((await readState(tx, READ_AT)) ?? 0);
      if (now - readAt < INTERVAL_SECONDS / 2) return false;
      await writeState(tx, READ_AT, String(now));
      return true;
    });
    if (isDue) await this.run();
  }

  /** Reads the whole directory, then applies the changes; nothing changes if reading fails. @throws DirectoryUnreachable */
  async run(): Promise<void> {
    const { deactivates_missing: isMissingGone, groups, name } = this.settings.directory!;
    const entries = new Map((await this.client.people()).map((person) => [person.id, person]));
    const linked = await this.linked(entries);
    const leaving = linked.filter(({ entry }) => (entry ? entry.isDisabled : isMissingGone));
    // An empty result means a wrong base or filter, or a service account without permissions.
    const most = entries.size === 0 ? 0 : Math.max(FEW, linked.length * SHARE);
    if (leaving.length > most) return this.tellOwners(leaving.length);
    for (const { userId } of leaving) {
      if (this.task.isStopping) return;
      await this.deactivate(userId);
    }
    for (const { userId, entry } of linked) {
      if (this.task.isStopping) return;
      if (entry && !entry.isDisabled) await this.groups.update(groups, entry.groups, userId, name);
    }
  }

  /** Active accounts that are linked to the directory. */
  private async linked(entries: ReadonlyMap<string, DirectoryPerson>): Promise<Linked[]> {
    const { issuer } = sourceOf(this.settings);
    const rows = await entityRows(this.database.read, AccountIdentity, 'WHERE issuer = ? ORDER BY id', [
      issuer,
    ]);
    return rows
      .filter(({ userId }) => this.accounts.active.has(userId))
      .map(({ userId, sub }) => ({ userId, entry: entries.get(sub) }));
  }

  private async deactivate(userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const account = this.accounts.existing(userId);
      if (this.owners.isOnlyOwner(account)) {
        this.logger.warn('The directory disabled the only owner. The account stays active.');
        return;
      }
      const actor = this.owners.actorFor(byDirectory(sourceOf(this.settings).name));
      await this.activity.deactivate(tx, actor, account);
    });
  }

  private async tellOwners(count: number): Promise<void> {
    const content =
      `The directory would deactivate ${count} people at once, so no one was deactivated. Check the settings of the ` +
      'directory on the server, or deactivate them yourself.';
    this.logger.error(content);
    const now = this.clock.nowSeconds();
    if (now - this.toldAt < SILENCE_SECONDS) return;
    this.toldAt = now;
    const owners = this.accounts.all().filter((each) => each.isActive && !each.isBot && isOwner(each));
    for (const { id } of owners) {
      await this.transactions.runExclusive((tx) =>
        this.messages.sendToPerson(tx, 'notification-bot', id, { content }),
      );
    }
  }
}
