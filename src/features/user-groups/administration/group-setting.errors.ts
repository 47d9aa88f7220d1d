import { ApiError } from '../../../platform/errors/api-error';

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

/** The setting takes system groups only. */
export class SystemGroupRequired extends ApiError {
  constructor(setting: string) {
    super(`'${setting}' must be a system user group.`, {
      code: 'SYSTEM_GROUP_REQUIRED',
      data: { setting_name: setting },
    });
  }
}

/** The setting refuses this system group. */
export class GroupRefusedBySetting extends ApiError {
  constructor(setting: string, groupName: string) {
    super(`'${setting}' setting cannot be set to '${groupName}' group.`);
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
