import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';
import { GroupDirectory } from './group.directory';

/**
 * Who is in which groups directly, touched by user IDs, so that one person who comes to a group of ten
 * thousand costs the rows of one person. What it reads is kept in {@link GroupDirectory}.
 */
@Injectable()
export class GroupMembershipDirectory extends Directory {
  readonly name = 'group-memberships';

  constructor(
    directories: Directories,
    private readonly groups: GroupDirectory,
  ) {
    super();
    directories.register(this);
  }

  /** The groups are loaded with their members. */
  async load(): Promise<void> {}

  async refresh(db: Queryable, userIds: readonly number[]): Promise<void> {
    const memberships = await db.query<{ group_id: number; member_id: number }>(
      'SELECT group_id, user_id AS member_id FROM user_group_member WHERE user_id IN (?)',
      [userIds],
    );
    this.groups.replaceMemberships(userIds, memberships);
  }
}
