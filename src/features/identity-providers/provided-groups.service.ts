import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import { TransactionService } from '../../platform/database/transaction.service';
import { OrganizationOwners } from '../membership/membership.module';
import { GroupDirectory, ManagedGroupsService, type NamedGroup } from '../user-groups/user-groups.module';

/** User groups by what a provider or directory calls its own. */
export type GroupMapping = Readonly<Record<string, string>>;

/** A group, and whether the person should be in it. */
interface Membership {
  readonly group: NamedGroup;
  readonly isWanted: boolean;
}

/**
 * Puts people into the user groups that the operator has mapped, and takes them out. Groups outside the mapping are managed
 * here, by hand.
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

  /** Names of the mapping that no active group has. */
  missing(mapping: GroupMapping): string[] {
    return [...new Set(Object.values(mapping))].filter((name) => this.groupOf(name) === undefined);
  }

  /**
   * After the account was committed: clients are told of members who are known.
   * @param held names of the mapping that the provider says of the person
   * @param provider its name, for the audit log
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

/** How changes come from a provider or directory, by its name. */
export function byDirectory(name: string): Caller {
  return { way: 'directory', address: '', clientName: name };
}
