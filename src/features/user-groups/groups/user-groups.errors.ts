import { ApiError } from '../../../platform/errors/api-error';
import type { GroupObjection } from './user-group.wire';

/** A name has to have something to read. */
export class GroupNameEmpty extends ApiError {
  constructor() {
    super("User group name can't be empty!");
  }
}

/** A name is longer than what fits. */
export class GroupNameTooLong extends ApiError {
  constructor(maxLength: number) {
    super(`User group name cannot exceed ${maxLength} characters.`);
  }
}

/** The name of a group holds a control character, or one that nobody sees. */
export class GroupNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in user group name, at position ${position}.`);
  }
}

/** Some beginnings mean something else where groups are named. */
export class GroupNamePrefixReserved extends ApiError {
  constructor(prefix: string) {
    super(`User group name cannot start with '${prefix}'.`);
  }
}

/** Another group has the name, deactivated groups included. */
export class GroupNameTaken extends ApiError {
  constructor(name: string) {
    super(`User group '${name}' already exists.`);
  }
}

/** A change that changes nothing. */
export class NoNewGroupData extends ApiError {
  constructor() {
    super('No new data supplied');
  }
}

/** None of the lists of a membership change says anything. */
export class NoMembersNamed extends ApiError {
  constructor(sentence: string) {
    super(`Nothing to do. ${sentence}`);
  }
}

/** A person to be added is a member already. */
export class AlreadyGroupMember extends ApiError {
  constructor(userId: number) {
    super(`User ${userId} is already a member of this group`);
  }
}

/** A person to be removed is not a member. */
export class NoSuchGroupMember extends ApiError {
  constructor(userId: number) {
    super(`There is no member '${userId}' in this user group`);
  }
}

/** A group that was to be added is there. */
export class AlreadySubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of this group.`);
  }
}

/** A group that was to be removed is not there. */
export class NotASubgroup extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is not a subgroup of this group.`);
  }
}

/** A group would hold itself. */
export class SubgroupCycle extends ApiError {
  constructor(groupId: number) {
    super(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
  }
}

/** Permissions or other groups rest on the group; `objections` says which. */
export class GroupInUse extends ApiError {
  constructor(objections: readonly GroupObjection[]) {
    super('Cannot deactivate user group in use.', {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: { objections },
    });
  }
}

/** A question about a permission names an action that there is not, at least not for this kind of object. */
export class InvalidAction extends ApiError {
  /** @param names of the actions that there are, sorted */
  constructor(names: readonly string[]) {
    super('Invalid action', { data: { actions: names } });
  }
}

/** A group ID names no group (integer form). */
export class InvalidUserGroup extends ApiError {
  constructor() {
    super('Invalid user group');
  }
}

/** A group ID inside an object names no group. */
export class InvalidUserGroupId extends ApiError {
  constructor(groupId: number) {
    super(`Invalid user group ID: ${groupId}`);
  }
}

/** The group exists but is deactivated. */
export class UserGroupDeactivated extends ApiError {
  constructor() {
    super('User group is deactivated.');
  }
}

/** A user ID names no active account. */
export class InvalidUserId extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
  }
}

/** The value of a setting is the ID of no group. */
export class InvalidSettingGroup extends ApiError {
  /** @param expected what a right value looks like */
  constructor(expected: string) {
    super('Invalid user group', { data: { expected } });
  }
}

/** The setting takes system groups only. */
export class SystemGroupRequired extends ApiError {
  /** @param expected what a right value looks like */
  constructor(setting: string, expected: string) {
    super(`'${setting}' must be a system user group.`, {
      code: 'SYSTEM_GROUP_REQUIRED',
      data: { setting_name: setting, expected },
    });
  }
}

/** The setting refuses this system group. */
export class GroupRefusedBySetting extends ApiError {
  /** @param expected what a right value looks like */
  constructor(setting: string, groupName: string, expected: string) {
    super(`'${setting}' setting cannot be set to '${groupName}' group.`, { data: { expected } });
  }
}

/** The setting takes groups only whose members nobody but administrators changes. */
export class MembersNotKept extends ApiError {
  constructor(setting: string) {
    super(
      `'${setting}' must be a group whose membership can only be managed by organization administrators.`,
    );
  }
}

/** The `old` value of a change does not match what is stored. */
export class OldValueMismatch extends ApiError {
  constructor() {
    super("'old' value does not match the expected value.", {
      code: 'EXPECTATION_MISMATCH',
      data: { field_name: 'old' },
    });
  }
}
