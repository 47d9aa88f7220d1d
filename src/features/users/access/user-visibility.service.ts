import { Injectable } from '@nestjs/common';
import { isGuest, Role } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import type { Viewer } from '../accounts/email-visibility';
import { accessToAllUsersPort, conversationPartnersSought } from '../users.hooks';

/** What decides whether an account is visible. */
export type Seen = Pick<AccountRecord, 'id' | 'isBot'>;

/**
 * Who sees whom. Everybody sees everybody, except guests where the organization restricts them: they see bots,
 * themselves, and people with whom they share a channel or a direct message.
 */
@Injectable()
export class UserVisibility {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly hooks: Hooks,
  ) {}

  /** @param viewer null for a person without an account, who is treated like a guest without conversations */
  isRestricted(viewer: Viewer | null): boolean {
    if (viewer !== null && !isGuest(viewer)) return false;
    return !this.hooks.provider(accessToAllUsersPort)?.mayAccessAll(viewer);
  }

  async canSee(db: Queryable, viewer: Viewer, seen: Seen): Promise<boolean> {
    if (seen.isBot || seen.id === viewer.userId) return true;
    return (await this.filterFor(db, viewer))(seen);
  }

  /** A test of whom the viewer sees, for use on many accounts. */
  async filterFor(db: Queryable, viewer: Viewer | null): Promise<(seen: Seen) => boolean> {
    if (!this.isRestricted(viewer)) return () => true;
    if (viewer === null) return ({ isBot }) => isBot;
    const partners = await this.partnersOf(db, viewer.userId);
    return ({ id, isBot }) => isBot || id === viewer.userId || partners.has(id);
  }

  /** The accounts that the viewer sees, in their order. */
  async visible(db: Queryable, viewer: Viewer, accounts: AccountRecord[]): Promise<AccountRecord[]> {
    return this.isRestricted(viewer) ? accounts.filter(await this.filterFor(db, viewer)) : accounts;
  }

  /** Active accounts that see the given one: the audience of an event about it. */
  async audienceOf(db: Queryable, seen: Seen): Promise<Audience> {
    const everybody = this.accounts.active;
    return everybody.without((await this.blindAmong(db, everybody, seen)).ids());
  }

  /** Those of the people who may know only that the account exists; costs nothing where no guest is restricted. */
  async blindAmong(db: Queryable, people: Audience, seen: Seen): Promise<Audience> {
    const { guests } = this.accounts;
    if (seen.isBot || guests.size === 0 || !this.isRestricted(null)) return Audience.none;
    const restricted = [...guests.ids()].filter(
      (id) => id !== seen.id && people.has(id) && this.isRestricted({ userId: id, role: Role.guest }),
    );
    if (restricted.length === 0) return Audience.none;
    const partners = await this.partnersOf(db, seen.id);
    return Audience.of(restricted.filter((id) => !partners.has(id)));
  }

  /** Everybody who shares any kind of conversation with the person. */
  async partnersOf(db: Queryable, userId: number): Promise<Set<number>> {
    const partners = new Set<number>();
    for (const some of await this.hooks.run(conversationPartnersSought, db, userId)) {
      for (const partner of some) partners.add(partner);
    }
    return partners;
  }
}
