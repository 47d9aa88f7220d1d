import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import { TransactionService } from '../../platform/database/transaction.service';
import { OrganizationOwners } from '../membership/membership.module';
import { GroupDirectory, ManagedGroupsService, type NamedGroup } from '../user-groups/user-groups.module';

/** Maps groups of a provider or directory to names of user groups. */
export type GroupMapping = Readonly<Record<string, string>>;

/** A group, and whether the person should be a member. */
interface Membership {
  readonly group: NamedGroup;
  readonly isWanted: boolean;
}

/**
 * Adds people to, and removes them from, the user groups that the operator has mapped. Other groups are managed by hand
 * on this server.
 */
@Injectable()
export class ProvidedGroups {
  private readonly logger = new Logger(ProvidedGroups.name);

  constructor(
    private readonly groups: GroupDirectory,
    private readonly managed: ManagedGroupsService,
    private readonly owners: OrganizationOwners,
    private readonly transactions: TransactionService,
  ) {}

  /** Names in the mapping that match no active group. */
  missing(mapping: GroupMapping): string[] {
    return [...new Set(Object.values(mapping))].filter((name) => this.groupOf(name) === undefined);
  }

  /**
   * Updates the person's groups. Call it after the account is committed, so that clients know the member.
   * @param held the person's groups at the provider: keys of the mapping
   * @param provider name for the audit log
   */
  async update(
    mapping: GroupMapping,
    held: ReadonlySet<string>,
    userId: number,
    provider: string,
  ): Promise<void> {
    const missing = this.missing(mapping);
    if (missing.length > 0) this.logger.warn(`No user group has the name ${missing.join(', ')}.`);
    if (this.changes(mapping, held, userId).length === 0) return;
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.owners.actorFor(byDirectory(provider));
      for (const { group, isWanted } of this.changes(mapping, held, userId)) {
        const members = new Set(group.members);
        if (isWanted) members.add(userId);
        else members.delete(userId);
        await this.managed.setMembers(tx, actor, group, members);
      }
    });
  }

  private changes(mapping: GroupMapping, held: ReadonlySet<string>, userId: number): Membership[] {
    const wanted = new Set(Object.keys(mapping).flatMap((each) => (held.has(each) ? mapping[each]! : [])));
    return [...new Set(Object.values(mapping))].flatMap((name) => {
      const group = this.groupOf(name);
      const isWanted = wanted.has(name);
      return group && group.members.has(userId) !== isWanted ? [{ group, isWanted }] : [];
    });
  }

  private groupOf(name: string): NamedGroup | undefined {
    const group = this.groups.byName(name);
    return group?.isDeactivated ? undefined : group;
  }
}

/** The caller for changes by a provider or directory. @param name of the provider or directory */
export function byDirectory(name: string): Caller {
  return { way: 'directory', address: '', clientName: name };
}
