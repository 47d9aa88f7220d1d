import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, isGuest, isOwner, Role } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import {
  CallerDeactivated,
  InsufficientPermission,
  MustBeOwner,
  OrganizationDeactivated,
} from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord, emailKey } from '../accounts/account.directory';
import {
  NoSuchBot,
  NoSuchUser,
  seesDeliveryEmail,
  UserDeactivated,
  UserIsDeleted,
  type Viewer,
} from '../accounts/accounts.api';
import { accessToAllUsersPort, conversationPartnersSought } from '../users.hooks';

/** The properties that determine whether an account is visible. */
export type VisibilityFacts = Pick<AccountRecord, 'id' | 'isBot'>;

/**
 * Decides who sees whom. Everyone sees everyone, except guests in organizations that restrict them: they see bots,
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

  async canSee(db: Queryable, viewer: Viewer, seen: VisibilityFacts): Promise<boolean> {
    if (seen.isBot || seen.id === viewer.userId) return true;
    return (await this.filterFor(db, viewer))(seen);
  }

  /** Returns a test for whether the viewer sees an account, to use on many accounts. */
  async filterFor(db: Queryable, viewer: Viewer | null): Promise<(seen: VisibilityFacts) => boolean> {
    if (!this.isRestricted(viewer)) return () => true;
    if (viewer === null) return ({ isBot }) => isBot;
    const partners = await this.partnersOf(db, viewer.userId);
    return ({ id, isBot }) => isBot || id === viewer.userId || partners.has(id);
  }

  /** The accounts that the viewer sees, in the same order. */
  async visible(db: Queryable, viewer: Viewer, accounts: AccountRecord[]): Promise<AccountRecord[]> {
    return this.isRestricted(viewer) ? accounts.filter(await this.filterFor(db, viewer)) : accounts;
  }

  /** Active accounts that see the given one: the audience of events about it. */
  async audienceOf(db: Queryable, seen: VisibilityFacts): Promise<Audience> {
    const everybody = this.accounts.active;
    return everybody.without((await this.membersWithoutAccess(db, everybody, seen)).ids());
  }

  /** The people who may only know that the account exists; free if no guest is restricted. */
  async membersWithoutAccess(db: Queryable, people: Audience, seen: VisibilityFacts): Promise<Audience> {
    const { guests } = this.accounts;
    if (seen.isBot || guests.size === 0 || !this.isRestricted(null)) return Audience.none;
    const restricted = [...guests.ids()].filter(
      (id) => id !== seen.id && people.has(id) && this.isRestricted({ userId: id, role: Role.guest }),
    );
    if (restricted.length === 0) return Audience.none;
    const partners = await this.partnersOf(db, seen.id);
    return Audience.of(restricted.filter((id) => !partners.has(id)));
  }

  /** Everyone who shares any kind of conversation with the person. */
  async partnersOf(db: Queryable, userId: number): Promise<Set<number>> {
    const partners = new Set<number>();
    for (const some of await this.hooks.run(conversationPartnersSought, db, userId)) {
      for (const partner of some) partners.add(partner);
    }
    return partners;
  }
}

/** Which accounts an administrative operation accepts besides active people. */
interface AdministrationScope {
  readonly bots?: boolean;
  readonly deactivated?: boolean;
  /** Whether people who are not administrators may use it on their own account. */
  readonly oneself?: boolean;
}

/** Loads an account on behalf of a caller, or throws the error that the caller should see. */
@Injectable()
export class UserAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly visibility: UserVisibility,
    private readonly database: Database,
  ) {}

  /**
   * The actor's current state. Writes call this inside their exclusive transaction, because a person may have lost a
   * role, or been deactivated, after the request was authenticated. In a deactivated organization only the operator may
   * act.
   * @throws CallerDeactivated, OrganizationDeactivated if that happened in the meantime
   */
  current(actor: Actor): Actor {
    if (this.organization.isDeactivated && actor.way !== 'command') throw new OrganizationDeactivated();
    const account = this.accounts.byId(actor.userId);
    if (!account?.isActive) throw new CallerDeactivated();
    return { ...actor, role: account.role };
  }

  /**
   * An account to read, including deactivated ones and bots.
   * @throws NoSuchUser, InsufficientPermission for a guest who shares nothing with the person
   */
  async forReading(actor: Actor, userId: number): Promise<AccountRecord> {
    return this.readable(actor, this.accounts.byId(userId));
  }

  /** Like `forReading`, without deactivated accounts. @throws NoSuchUser, InsufficientPermission, UserDeactivated */
  async activeForReading(actor: Actor, userId: number): Promise<AccountRecord> {
    const account = await this.forReading(actor, userId);
    if (!account.isActive) throw new UserDeactivated();
    return account;
  }

  /** An active person, for features that bots lack. @throws NoSuchUser, InsufficientPermission, UserDeactivated */
  async activePersonForReading(actor: Actor, userId: number): Promise<AccountRecord> {
    const account = await this.activeForReading(actor, userId);
    if (account.isBot) throw new NoSuchUser();
    return account;
  }

  /**
   * An account by ID or address; deactivated ones are treated as missing.
   * @throws NoSuchUser, InsufficientPermission
   */
  async presentForReading(actor: Actor, idOrEmail: number | string): Promise<AccountRecord> {
    const account =
      typeof idOrEmail === 'number' ? this.accounts.byId(idOrEmail) : this.byVisibleEmail(actor, idOrEmail);
    return this.readable(actor, account?.isActive ? account : undefined);
  }

  /**
   * Finds an account by address: a real address works only if the caller sees it, a placeholder always.
   * @throws NoSuchUser, InsufficientPermission
   */
  async forReadingByEmail(actor: Actor, email: string): Promise<AccountRecord> {
    return this.readable(actor, this.byVisibleEmail(actor, email));
  }

  /**
   * The account with this address, if the viewer may look it up: real addresses may be hidden, placeholders never are.
   */
  byVisibleEmail(viewer: Viewer, email: string): AccountRecord | undefined {
    const account = this.accounts.byEmail(email);
    const isReal = account?.emailKey === emailKey(email);
    return account && isReal && !seesDeliveryEmail(viewer, account) ? undefined : account;
  }

  /**
   * An account that the caller may administer: any account for administrators, their own bots for others. If {@link
   * isForOwners} applies, the caller must be an owner.
   * @throws NoSuchUser, UserDeactivated, InsufficientPermission, MustBeOwner, UserIsDeleted
   */
  forAdministration(actor: Actor, userId: number, scope: AdministrationScope = {}): AccountRecord {
    return this.administrable(actor, this.accounts.byId(userId), scope);
  }

  /** Like {@link forAdministration}, by address, with the same errors. */
  forAdministrationByEmail(actor: Actor, email: string, scope: AdministrationScope = {}): AccountRecord {
    return this.administrable(actor, this.byVisibleEmail(actor, email), scope);
  }

  /**
   * A bot that the caller may administer; if {@link isForOwners} applies, the caller must be an owner.
   * @throws NoSuchBot, InsufficientPermission, MustBeOwner
   */
  forBotAdministration(actor: Actor, botId: number): AccountRecord {
    const bot = this.accounts.byId(botId);
    if (!bot?.isBot || bot.isSystemBot) throw new NoSuchBot();
    this.requireAdministers(actor, bot);
    return bot;
  }

  private async readable(actor: Actor, account: AccountRecord | undefined): Promise<AccountRecord> {
    if (!account || account.isSystemBot) throw new NoSuchUser();
    if (!(await this.visibility.canSee(this.database.read, actor, account))) {
      throw new InsufficientPermission();
    }
    return account;
  }

  private administrable(
    actor: Actor,
    account: AccountRecord | undefined,
    scope: AdministrationScope,
  ): AccountRecord {
    if (!account || account.isSystemBot || (account.isBot && !scope.bots)) throw new NoSuchUser();
    if (!account.isActive && !scope.deactivated) throw new UserDeactivated();
    this.requireAdministers(actor, account, scope);
    if (account.isDeleted) throw new UserIsDeleted();
    return account;
  }

  /**
   * Whether only owners may administer an account. Administrators may not change how owners appear. Bots that may
   * create accounts are reserved for owners, and the key of a bot with the owner role could be used to become an owner.
   */
  isForOwners(account: AccountRecord): boolean {
    return isOwner(account) || (account.isBot && account.canCreateUsers);
  }

  /** @throws InsufficientPermission, MustBeOwner */
  private requireAdministers(actor: Actor, account: AccountRecord, scope?: AdministrationScope): void {
    if (!administers(actor, account, scope)) throw new InsufficientPermission();
    if (this.isForOwners(account) && !isOwner(actor)) throw new MustBeOwner();
  }
}

function administers(actor: Actor, account: AccountRecord, scope: AdministrationScope = {}): boolean {
  if (isAdministrator(actor) || account.botOwnerId === actor.userId) return true;
  return account.id === actor.userId && (account.isBot || scope.oneself === true);
}
