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

  /** Whoever has this ID, also somebody who has left; null where nobody does. Says nothing about who may know. */
  find(id: number): PersonInfo | null {
    const account = this.accounts.byId(id);
    return account ? this.info(account) : null;
  }

  /** Whoever has this real address, in any case; for addresses that the operator or another system gives. */
  findByAddress(email: string): PersonInfo | null {
    const account = this.accounts.byDeliveryEmail(email);
    return account ? this.info(account) : null;
  }

  /**
   * Somebody active whom the actor may know of.
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

  /** Somebody as an actor, for what a job does for them; null once they have left. */
  actor(id: number): Actor | null {
    const account = this.accounts.byId(id);
    return account?.isActive ? actorOf(account) : null;
  }

  private info(account: AccountRecord): PersonInfo {
    const { id, fullName: name, role, isBot, isActive } = account;
    return { id, name, email: this.accounts.apiEmail(account), role, isBot, isActive };
  }
}
