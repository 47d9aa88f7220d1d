import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../platform/actor';
import { Config } from '../../../../platform/config/config';
import type { Queryable } from '../../../../platform/sql/queryable';
import { entityRows } from '../../../../platform/sql/entity-rows';
import { OrganizationOwners } from '../../../membership/membership.module';
import { AccountDirectory, type AccountRecord } from '../../../users/users.module';
import type { DirectoryCaller } from '../keys/scim-key.guard';
import { NoSuchResource } from '../protocol/scim.api';
import { type PersonResource, personResource } from './person-resource';
import { ScimPerson } from './scim-person.entity';

/** Finds the people that a directory has access to: those that it manages, and those that no directory manages. */
@Injectable()
export class DirectoryPeople {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
    private readonly owners: OrganizationOwners,
  ) {}

  /** All people, or those with these IDs, in ascending order, each with the directory's row. */
  async all(db: Queryable, { clientName: directory }: DirectoryCaller, ids?: readonly number[]) {
    const people = (ids?.map((id) => this.accounts.byId(id)) ?? this.accounts.all()).filter(isPerson);
    if (people.length === 0) return [];
    const rows = await (ids === undefined
      ? entityRows(db, ScimPerson)
      : entityRows(db, ScimPerson, 'WHERE user_id IN (?)', [ids]));
    const known = new Map(rows.map((row) => [row.userId, row]));
    return people
      .map((account) => ({ account, known: known.get(account.id) ?? null }))
      .filter((each) => each.known === null || each.known.directory === directory);
  }

  /** @throws NoSuchResource */
  async existing(db: Queryable, caller: DirectoryCaller, id: number) {
    const [found] = await this.all(db, caller, [id]);
    if (!found) throw new NoSuchResource(id);
    return found;
  }

  /** The SCIM resource of an account. */
  resource(account: AccountRecord, known: ScimPerson | null): PersonResource {
    return personResource(account, known, this.config.externalUrl);
  }

  /** The actor for changes by the directory. Needs an exclusive transaction. */
  actor(caller: DirectoryCaller): Actor {
    return this.owners.actorFor(caller);
  }
}

function isPerson(account: AccountRecord | undefined): account is AccountRecord {
  return account !== undefined && !account.isBot && !account.isSystemBot && !account.isDeleted;
}
