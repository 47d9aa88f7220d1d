import { roleName, type RoleName } from '../../../platform/actor';
import { type AccountRecord, toWireDate } from '../../users';

/** A person, as the companion interface shows them to administrators and to themselves. */
export interface PersonRecord {
  user_id: number;
  /** The real address; null for a person who was deleted. */
  email: string | null;
  full_name: string;
  /** Null for a number that stands for no role. */
  role: RoleName | null;
  is_active: boolean;
  can_create_users: boolean;
  date_joined: string;
  is_deleted?: true;
}

/** A bot of a person, as much as it takes to know which one is meant. */
export interface BotOfPerson {
  user_id: number;
  full_name: string;
}

/** A person after a change. */
export interface ChangedPersonRecord extends PersonRecord {
  /** Where `is_active` was set: the bots of the person that are still deactivated. */
  inactive_bots?: BotOfPerson[];
}

/** A bot in the answer about its owner. */
export function botOfPerson({ id, fullName }: AccountRecord): BotOfPerson {
  return { user_id: id, full_name: fullName };
}

/** The record of a person. */
export function personRecord(account: AccountRecord): PersonRecord {
  return {
    user_id: account.id,
    email: account.isDeleted ? null : account.deliveryEmail,
    full_name: account.fullName,
    role: roleName(account.role) ?? null,
    is_active: account.isActive,
    can_create_users: account.canCreateUsers,
    date_joined: toWireDate(account.dateJoined),
    ...(account.isDeleted ? { is_deleted: true } : {}),
  };
}
