import { Injectable } from '@nestjs/common';
import type { Actor, Role } from '../platform/actor';
import type { Audience } from '../platform/events/audience';
import { AccountDirectory, type AccountRecord, actorOf, UserAccess } from '../features/users/users.module';

/** A person or a bot, as modules see them. */
export interface PersonInfo {
  readonly id: number;
  readonly name: string;
  /** The address by which the interface names them: the real one where everybody may see it. */
  readonly email: string;
  readonly role: Role;
  readonly isBot: boolean;
  readonly isActive: boolean;
}

/** Everybody who has an account, from memory. */
@Injectable()
export class People {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
  ) {}

  /** The account with this ID, active or not; null if there is none. Does not check who may see it. */
  find(id: number): PersonInfo | null {
    const account = this.accounts.byId(id);
    return account ? this.info(account) : null;
  }

  /** The account with this real address, case-insensitive; for addresses from the operator or another system. */
  findByAddress(email: string): PersonInfo | null {
    const account = this.accounts.byDeliveryEmail(email);
    return account ? this.info(account) : null;
  }

  /**
   * An active account that the actor may see.
   * @throws ApiError for everybody else
   */
  async visible(actor: Actor, id: number): Promise<PersonInfo> {
    return this.info(await this.access.activeForReading(actor, id));
  }

  /** Everybody active, bots included. */
  everybody(): Audience {
    return this.accounts.active;
  }

  /** Owners and administrators who are active. */
  administrators(): Audience {
    return this.accounts.administrators;
  }

  /** An account as an actor, for jobs that act on its behalf; null once it is deactivated. */
  actor(id: number): Actor | null {
    const account = this.accounts.byId(id);
    return account?.isActive ? actorOf(account) : null;
  }

  private info(account: AccountRecord): PersonInfo {
    const { id, fullName: name, role, isBot, isActive } = account;
    return { id, name, email: this.accounts.apiEmail(account), role, isBot, isActive };
  }
}
