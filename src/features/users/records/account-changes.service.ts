import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory, avatarUrl, emailKey, isExternalAvatar } from '../accounts/account.directory';
import { Account } from '../accounts/account.entity';
import { EmailVisibility, seesDeliveryEmail } from '../accounts/accounts.api';
import { AccountRules, withLowerCaseDomain } from '../accounts/accounts.service';
import { LoginSessionService } from '../sessions/login-session.service';
import { ProfileDirectory } from './profile.directory';
import {
  type PersonChange,
  UNKNOWN_USER,
  unknownUserRecord,
  userAdded,
  userRecord,
  type UserRecord,
  userRemoved,
  userUpdated,
} from './user-records.api';
import { type VisibilityFacts, UserVisibility } from '../access/user.access';
import { credentialsChanged, emailChanged } from '../users.hooks';

/**
 * Changes the public side of an account, and emits the resulting events. Works on the row of the account within the
 * caller's exclusive transaction: load it once, apply every change, save it once.
 */
@Injectable()
export class AccountChanges {
  /** The properties on which sessions depend, as of when the row was loaded. */
  private readonly standings = new WeakMap<Account, Standing>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly visibility: UserVisibility,
    private readonly profiles: ProfileDirectory,
    private readonly sessions: LoginSessionService,
    private readonly hooks: Hooks,
  ) {}

  async load(tx: Transaction, userId: number): Promise<Account> {
    const row = await tx.repository(Account).findOneByOrFail({ id: userId });
    this.standings.set(row, standingOf(row));
    return row;
  }

  /**
   * Saves the row. After a change of password, role or state the person has to sign in again.
   * @param keptSession the one session that continues: the one in which the person changes the password
   */
  async save(tx: Transaction, row: Account, keptSession: string | null = null): Promise<void> {
    await tx.repository(Account).save(row);
    tx.touch('accounts', [row.id]);
    const before = this.standings.get(row);
    const after = standingOf(row);
    this.standings.set(row, after);
    if (isDeepStrictEqual(before, after)) return;
    await this.sessions.endAll(tx, row.id, keptSession ?? undefined);
    const isSet = before && after.passwordHash !== null && after.passwordHash !== before.passwordHash;
    if (isSet) await this.hooks.run(credentialsChanged, tx, row.id, 'password');
  }

  /** Emits the change to everyone who sees the account. */
  async announce(tx: Transaction, account: VisibilityFacts, changed: PersonChange): Promise<void> {
    const audience = await this.visibility.audienceOf(tx, account);
    tx.emit(userUpdated({ person: { user_id: account.id, ...changed } }), audience);
  }

  /**
   * Emits a new account to everyone. People who may not see its address receive the record without it; guests who may
   * not see the person receive only a placeholder.
   * @returns everyone who received the full record
   */
  async announceNew(tx: Transaction, row: Account): Promise<Audience> {
    const audience = await this.visibility.audienceOf(tx, row);
    this.introduce(tx, row, audience);
    const unaware = this.accounts.active.without(audience.ids());
    if (unaware.size > 0) {
      const hidden = { ...row, emailVisibility: EmailVisibility.nobody };
      const person = unknownUserRecord(this.newRecord(hidden, false));
      tx.emit(userAdded({ person }), unaware, { unless: 'user_list_incomplete' });
    }
    return audience;
  }

  /** Emits a new account to guests who see it only because they share channels with it. */
  async introduceToNeighbors(tx: Transaction, row: Account, told: Audience): Promise<void> {
    const audience = await this.visibility.audienceOf(tx, row);
    this.introduce(tx, row, audience.without(told.ids()));
  }

  /** Guests who see an account; {@link announceVisibility} compares them after it was activated or deactivated. */
  whoSees(tx: Transaction, row: Account): Promise<Audience> {
    return this.visibility.audienceOf(tx, row);
  }

  /**
   * Emits to guests that they see the account, or no longer do, because its subscriptions were resumed or suspended.
   */
  async announceVisibility(tx: Transaction, row: Account, before: Audience): Promise<void> {
    const after = await this.whoSees(tx, row);
    this.introduce(tx, row, after.without(before.ids()));
    const lost = before.without(after.ids());
    const person = { user_id: row.id, full_name: UNKNOWN_USER.fullName };
    if (lost.size > 0) tx.emit(userRemoved({ person }), lost);
  }

  /** @throws InvalidFullName, NameNotUnique */
  async rename(tx: Transaction, row: Account, given: string): Promise<void> {
    const fullName = this.rules.checkedFullName(given);
    if (fullName === row.fullName) return;
    if (!row.isBot) this.rules.requireUniqueName(fullName, row.id);
    row.fullName = fullName;
    await this.announce(tx, row, { full_name: fullName });
  }

  /**
   * Changes the account's real address. Its avatar changes too if it depends on the address.
   * @throws InvalidEmail, EmailInUse, and the errors of AccountRules for the domain
   */
  async changeEmail(tx: Transaction, row: Account, given: string): Promise<void> {
    const email = withLowerCaseDomain(given);
    const former = row.deliveryEmail;
    if (email === former) return;
    this.rules.requireUsableEmail(email);
    if (!row.isBot) this.rules.requireAllowedDomain(email);
    this.rules.requireFreeEmail(email, row.id);
    row.deliveryEmail = email;
    row.emailKey = emailKey(email);
    const audience = await this.visibility.audienceOf(tx, row);
    const person = { user_id: row.id, delivery_email: email };
    tx.emit(userUpdated({ person }), this.whoSeesEmail(audience, row));
    if (isExternalAvatar(row)) await this.announceAvatar(tx, row);
    if (row.emailVisibility === EmailVisibility.everyone) await this.announceApiEmail(tx, row);
    if (!row.isBot) await this.hooks.run(emailChanged, tx, row, former);
  }

  /** Shows the real address to more or fewer people, and emits to each the address that they now see. */
  async changeEmailVisibility(tx: Transaction, row: Account, emailVisibility: number): Promise<void> {
    const audience = await this.visibility.audienceOf(tx, row);
    const before = this.whoSeesEmail(audience, row);
    const wasPublic = row.emailVisibility === EmailVisibility.everyone;
    row.emailVisibility = emailVisibility;
    const after = this.whoSeesEmail(audience, row);
    const person = { user_id: row.id };
    const gained = after.without(before.ids());
    const lost = before.without(after.ids());
    if (gained.size > 0) {
      tx.emit(userUpdated({ person: { ...person, delivery_email: row.deliveryEmail } }), gained);
    }
    if (lost.size > 0) tx.emit(userUpdated({ person: { ...person, delivery_email: null } }), lost);
    const isPublic = emailVisibility === EmailVisibility.everyone;
    if (isPublic !== wasPublic) {
      await this.announceApiEmail(tx, row);
      await this.announceAvatar(tx, row);
    }
  }

  async changeTimezone(tx: Transaction, row: Account, timezone: string): Promise<void> {
    row.timezone = timezone;
    await this.announce(tx, row, { email: this.accounts.apiEmail(row), timezone });
  }

  async announceAvatar(tx: Transaction, row: Account): Promise<void> {
    await this.announce(tx, row, {
      avatar_source: row.avatarSource,
      avatar_url: avatarUrl(row),
      avatar_url_medium: avatarUrl(row, 'medium'),
      avatar_version: row.avatarVersion,
    });
  }

  private introduce(tx: Transaction, row: Account, audience: Audience): void {
    const seeing = this.whoSeesEmail(audience, row);
    const blind = audience.without(seeing.ids());
    if (seeing.size > 0) tx.emit(userAdded({ person: this.newRecord(row, true) }), seeing);
    if (blind.size > 0) tx.emit(userAdded({ person: this.newRecord(row, false) }), blind);
  }

  private newRecord(row: Account, deliveryEmail: boolean): UserRecord {
    const record = userRecord(row, this.accounts.apiEmail(row), { deliveryEmail, clientGravatar: false });
    return row.isBot ? record : { ...record, profile_data: this.profiles.of(row.id) };
  }

  private announceApiEmail(tx: Transaction, row: Account): Promise<void> {
    return this.announce(tx, row, { new_email: this.accounts.apiEmail(row) });
  }

  private whoSeesEmail(audience: Audience, row: Account): Audience {
    const seeing = [...audience.ids()].filter((id) => {
      const viewer = this.accounts.byId(id);
      return viewer && seesDeliveryEmail({ userId: id, role: viewer.role }, row);
    });
    return seeing.length === audience.size ? audience : Audience.of(seeing);
  }
}

/** The properties of an account on which its sessions depend. */
type Standing = Pick<Account, 'passwordHash' | 'role' | 'isActive' | 'isDeleted'>;

function standingOf({ passwordHash, role, isActive, isDeleted }: Account): Standing {
  return { passwordHash, role, isActive, isDeleted };
}
