import { Injectable } from '@nestjs/common';
import type { GroupObjection } from './user-group.wire';

/** A feature whose objects give permissions to groups. */
export interface GroupUsageSource {
  /** @param holderIds the group, and the anonymous groups that name it; whatever holds one of them rests on the group */
  objectionsTo(holderIds: ReadonlySet<number>): readonly GroupObjection[];
}

/** Where features above this one say what rests on a group, so that it cannot be deactivated. */
@Injectable()
export class GroupUsageRegistry implements GroupUsageSource {
  private readonly sources: GroupUsageSource[] = [];

  register(source: GroupUsageSource): void {
    this.sources.push(source);
  }

  objectionsTo(holderIds: ReadonlySet<number>): GroupObjection[] {
    return this.sources.flatMap((source) => source.objectionsTo(holderIds));
  }
}
