import { roleName, type RoleName } from '../../../platform/actor';
import type { AccountRecord } from '../../users';

/** An account as the command line shows it. */
export interface AccountWire {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: RoleName | null;
  readonly active: boolean;
  readonly bot: boolean;
  readonly can_create_users: boolean;
}

/** An account as commands print it, with its real address. */
export function accountWire(account: AccountRecord): AccountWire {
  return {
    id: account.id,
    email: account.deliveryEmail,
    name: account.fullName,
    role: roleName(account.role) ?? null,
    active: account.isActive,
    bot: account.isBot,
    can_create_users: account.canCreateUsers,
  };
}
