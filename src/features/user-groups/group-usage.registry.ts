import { Injectable } from '@nestjs/common';
import type { GroupSettingDefinition } from '../organization-settings';
import type { GroupObjection } from './groups/user-group.wire';

/** Whether what is given to a group by a setting rests on whatever is asked about. */
export type RestsOn = (groupId: number, definition: GroupSettingDefinition) => boolean;

/** A feature whose objects give permissions to groups. */
export interface GroupUsageSource {
  /** The objects in use with permissions that rest on it. */
  objectionsTo(restsOn: RestsOn): readonly GroupObjection[];
}

/** Where features above this one say what rests on a group or a person, who then cannot be taken away. */
@Injectable()
export class GroupUsageRegistry implements GroupUsageSource {
  private readonly sources: GroupUsageSource[] = [];

  register(source: GroupUsageSource): void {
    this.sources.push(source);
  }

  objectionsTo(restsOn: RestsOn): GroupObjection[] {
    return this.sources.flatMap((source) => source.objectionsTo(restsOn));
  }
}
