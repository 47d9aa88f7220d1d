import { Role } from '../../../platform/actor';

/** What operators call a role. */
export type RoleName = keyof typeof Role;

/** Every role, the one that may do most first. */
export const ROLE_NAMES = Object.keys(Role) as readonly RoleName[];

export function roleNameOf(role: Role): RoleName {
  return ROLE_NAMES.find((name) => Role[name] === role) as RoleName;
}
