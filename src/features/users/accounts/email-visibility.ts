import { Role } from '../../../platform/actor';
import type { Account } from './account.entity';

/** Who sees an account's real address, as its owner chose. */
export const EmailVisibility = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;

/** All values of {@link EmailVisibility}. */
export const EMAIL_VISIBILITIES: readonly number[] = Object.values(EmailVisibility);

/** A viewer, reduced to what decides whom and what they see. */
export interface Viewer {
  readonly userId: number;
  readonly role: Role;
}

/** The least role that sees an address, as its owner chose; with `nobody` only the owner sees it. */
const ROLE_THAT_SEES: Readonly<Record<number, Role>> = {
  [EmailVisibility.everyone]: Role.guest,
  [EmailVisibility.members]: Role.member,
  [EmailVisibility.moderators]: Role.moderator,
  [EmailVisibility.administrators]: Role.administrator,
};

/** Whether the viewer sees the real address. Everybody sees their own and those of bots. */
export function seesDeliveryEmail(
  viewer: Viewer,
  account: Pick<Account, 'id' | 'isBot' | 'emailVisibility'>,
): boolean {
  if (account.isBot || viewer.userId === account.id) return true;
  const least = ROLE_THAT_SEES[account.emailVisibility];
  return least !== undefined && viewer.role <= least;
}
