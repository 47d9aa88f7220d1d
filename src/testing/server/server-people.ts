import type { INestApplicationContext } from '@nestjs/common';
import { BotType, type Role } from '../../platform/actor';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AccountDirectory, type AccountRecord } from '../../features/users/users.module';
import { TestRequestRefused } from './request-checks';

/** A user that tests act as. */
export interface PersonAnswer {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly api_key: string;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
}

/** Short names of people and bots, and their keys. */
export class ServerPeople {
  private readonly accounts: AccountDirectory;
  private readonly keys: ApiKeys;

  /** @param emails by short name */
  constructor(
    app: INestApplicationContext,
    private readonly emails: Map<string, string> = new Map(),
  ) {
    this.accounts = app.get(AccountDirectory, { strict: false });
    this.keys = app.get(ApiKeys, { strict: false });
  }

  note(name: string, email: string): void {
    this.emails.set(name, email);
  }

  /** Short names and addresses, in the form that {@link replace} accepts. */
  entries(): [string, string][] {
    return [...this.emails];
  }

  replace(entries: Iterable<readonly [string, string]>): void {
    this.emails.clear();
    for (const [name, email] of entries) this.emails.set(name, email);
  }

  /**
   * @param who a short name, an address or an ID
   * @throws {TestRequestRefused}
   */
  find(who: string | number): AccountRecord {
    const text = String(who);
    const email = this.emails.get(text) ?? text;
    const account = /^\d+$/.test(text) ? this.accounts.byId(Number(text)) : this.accounts.byEmail(email);
    if (!account) throw new TestRequestRefused(`There is no user called "${text.slice(0, 100)}".`);
    return account;
  }

  answerFor(account: AccountRecord): PersonAnswer {
    return {
      id: account.id,
      email: account.isBot ? this.accounts.apiEmail(account) : account.deliveryEmail,
      full_name: account.fullName,
      role: account.role,
      api_key: this.keys.apiKeyFor(account.keyNonce),
      is_bot: account.isBot,
      bot_type: account.isBot ? (account.botType ?? BotType.generic) : null,
    };
  }

  /** All users with a short name, by that name. */
  all(): Record<string, PersonAnswer> {
    return Object.fromEntries([...this.emails.keys()].map((name) => [name, this.answerFor(this.find(name))]));
  }

  /** The short name of an account, or its address; null without one. */
  nameOf(userId: number | undefined): string | null {
    const account = userId === undefined ? undefined : this.accounts.byId(userId);
    if (!account) return null;
    for (const [name, email] of this.emails) if (email === account.deliveryEmail) return name;
    return account.deliveryEmail;
  }

  /** The short names of accounts, or else their addresses. */
  namesOf(userIds: Iterable<number>): string[] {
    const names = new Map([...this.emails].map(([name, email]) => [email, name]));
    return [...userIds].map((id) => {
      const email = this.accounts.byId(id)?.deliveryEmail ?? String(id);
      return names.get(email) ?? email;
    });
  }

  /** All users that can act, including bots. */
  everybody(): readonly string[] {
    return [...this.emails.keys()];
  }
}
