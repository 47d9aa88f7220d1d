import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config';
import { Database } from '../../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../../platform/database/transaction.service';
import { entityRows } from '../../../../platform/sql/entity-rows';
import type { Queryable } from '../../../../platform/sql/queryable';
import {
  GroupDirectory,
  ManagedGroupsService,
  type NamedGroup,
} from '../../../user-groups/user-groups.module';
import { AccountDirectory } from '../../../users/users.module';
import type { DirectoryCaller } from '../keys/scim-key.guard';
import { DirectoryPeople } from '../people/directory-people.service';
import type { AttributeChange } from '../protocol/changes';
import { listAnswer, type ListQuery, type Resource } from '../protocol/listing';
import { asScimError, InvalidPath, InvalidValue, NameTaken, NoSuchResource } from '../protocol/scim.api';
import { requireVersion, versioned } from '../protocol/versions';
import { ScimGroup } from './scim-group.entity';
import { applyToGroup, type WantedGroup } from './wanted-group';

/** SCIM schema of groups. */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** A group with its directory's row. */
interface KeptGroup {
  readonly group: NamedGroup;
  readonly kept: ScimGroup;
}

/** Lists and changes the user groups of a company directory: only those that it created. */
@Injectable()
export class ScimGroups {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly people: DirectoryPeople,
    private readonly managed: ManagedGroupsService,
  ) {}

  /** Returns a page of the directory's groups. */
  async list(caller: DirectoryCaller, query: ListQuery): Promise<object> {
    const found = await this.kept(this.database.read, caller);
    return listAnswer(
      found.map((each) => this.resource(each)),
      query,
    );
  }

  /** @throws NoSuchResource */
  async get(caller: DirectoryCaller, id: number): Promise<Resource> {
    return versioned(this.resource(await this.existing(this.database.read, caller, id)));
  }

  /** Creates a group, or reactivates one that the directory has deleted. @throws InvalidValue, NameTaken */
  async create(caller: DirectoryCaller, changes: readonly AttributeChange[]): Promise<Resource> {
    const wanted: WantedGroup = { name: '', externalId: null, members: new Set() };
    applyToGroup(wanted, changes);
    if (wanted.name === '') throw new InvalidValue('displayName is missing.');
    const id = await this.exclusively(async (tx) => {
      await this.requirePeople(tx, caller, wanted.members);
      const actor = this.people.actor(caller);
      const former = this.groups.byName(wanted.name);
      if (former) {
        const kept = await this.rowOf(tx, caller, former.id);
        if (!kept || !former.isDeactivated) throw new NameTaken('Another group has this name.');
        const group = await this.managed.bringBack(tx, actor, former);
        await this.managed.setMembers(tx, actor, group, wanted.members);
      }
      const groupId =
        former?.id ??
        (await this.managed.create(
          tx,
          actor,
          wanted.name,
          [...wanted.members].sort((a, b) => a - b),
        ));
      await this.note(tx, caller, groupId, wanted.externalId);
      return groupId;
    });
    return this.get(caller, id);
  }

  /**
   * Changes a group.
   * @param version the expected version; null for any
   * @param isWhole whether the changes replace all members
   * @throws NoSuchResource, OutdatedVersion, InvalidValue, InvalidPath, NameTaken
   */
  async change(
    caller: DirectoryCaller,
    id: number,
    changes: readonly AttributeChange[],
    version: string | null,
    isWhole = false,
  ): Promise<Resource> {
    await this.exclusively(async (tx) => {
      const { group, kept } = await this.existing(tx, caller, id);
      requireVersion(this.resource({ group, kept }), version);
      const wanted: WantedGroup = {
        name: group.name,
        externalId: kept.externalId,
        members: isWhole ? new Set() : new Set(group.members),
      };
      const isKnown = applyToGroup(wanted, changes);
      if (!isKnown) throw new InvalidPath('None of these attributes is supported.');
      const newcomers = [...wanted.members].filter((userId) => !group.members.has(userId));
      await this.requirePeople(tx, caller, new Set(newcomers));
      const actor = this.people.actor(caller);
      if (this.groups.byName(wanted.name) && wanted.name !== group.name) {
        throw new NameTaken('Another group has this name.');
      }
      await this.managed.rename(tx, actor, group, wanted.name);
      await this.managed.setMembers(tx, actor, group, wanted.members);
      await this.note(tx, caller, id, wanted.externalId);
    });
    return this.get(caller, id);
  }

  /** Deactivates a group. @throws NoSuchResource, OutdatedVersion, StillInUse if permissions refer to it */
  async remove(caller: DirectoryCaller, id: number, version: string | null): Promise<void> {
    await this.exclusively(async (tx) => {
      const { group, kept } = await this.existing(tx, caller, id);
      requireVersion(this.resource({ group, kept }), version);
      await this.managed.deactivate(tx, this.people.actor(caller), group);
    });
  }

  private async exclusively<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.runExclusive(work);
    } catch (error) {
      throw asScimError(error);
    }
  }

  private async kept(db: Queryable, { clientName: directory }: DirectoryCaller): Promise<KeptGroup[]> {
    const rows = await entityRows(db, ScimGroup, 'WHERE directory = ? ORDER BY group_id', [directory]);
    return rows.flatMap((kept) => {
      const group = this.groups.namedById(kept.groupId);
      return group && !group.isDeactivated ? [{ group, kept }] : [];
    });
  }

  private async rowOf(db: Queryable, { clientName: directory }: DirectoryCaller, id: number) {
    const [row] = await entityRows(db, ScimGroup, 'WHERE group_id = ? AND directory = ?', [id, directory]);
    return row;
  }

  private async existing(db: Queryable, caller: DirectoryCaller, id: number): Promise<KeptGroup> {
    const group = this.groups.namedById(id);
    const kept = group && !group.isDeactivated ? await this.rowOf(db, caller, id) : undefined;
    if (!group || !kept) throw new NoSuchResource(id);
    return { group, kept };
  }

  /** @throws InvalidValue unless the directory has access to all of them */
  private async requirePeople(
    db: Queryable,
    caller: DirectoryCaller,
    ids: ReadonlySet<number>,
  ): Promise<void> {
    if (ids.size === 0) return;
    const seen = new Set((await this.people.all(db, caller, [...ids])).map(({ account }) => account.id));
    const unknown = [...ids].find((id) => !seen.has(id));
    if (unknown !== undefined) throw new InvalidValue(`No user has the ID ${unknown}.`);
  }

  private async note(
    tx: Transaction,
    { clientName: directory }: DirectoryCaller,
    groupId: number,
    externalId: string | null,
  ): Promise<void> {
    await tx.repository(ScimGroup).save({ groupId, directory, externalId });
  }

  private resource({ group, kept }: KeptGroup): Resource {
    const site = this.config.externalUrl;
    const created = new Date((group.dateCreated ?? 0) * 1000).toISOString();
    const members = [...group.members]
      .sort((a, b) => a - b)
      .map((id) => ({ value: String(id), display: this.accounts.existing(id).fullName, type: 'User' }));
    const location = `${site}/scim/v2/Groups/${group.id}`;
    return {
      schemas: [GROUP_SCHEMA],
      id: String(group.id),
      ...(kept.externalId === null ? {} : { externalId: kept.externalId }),
      displayName: group.name,
      members,
      meta: { resourceType: 'Group', created, lastModified: created, location },
    } as Resource;
  }
}
