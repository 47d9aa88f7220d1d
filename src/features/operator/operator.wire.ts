import type { AccountRecord } from '../users/account.directory';
import { roleNameOf, type RoleName } from './rules/role-names';

/** An account as the command line shows it. */
export interface AccountWire {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: RoleName;
  readonly active: boolean;
  readonly bot: boolean;
  readonly can_create_users: boolean;
}

export function accountWire(account: AccountRecord): AccountWire {
  return {
    id: account.id,
    email: account.deliveryEmail,
    name: account.fullName,
    role: roleNameOf(account.role),
    active: account.isActive,
    bot: account.isBot,
    can_create_users: account.canCreateUsers,
  };
}
