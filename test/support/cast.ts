import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Role } from '../../src/platform/actor';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { botAdded } from '../../src/features/membership/bots/bot-records.api';
import { BotRecords } from '../../src/features/membership/bots/bots.service';
import { SystemGroupService } from '../../src/features/user-groups/members/system-group.service';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { AccountChanges } from '../../src/features/users/records/account-changes.service';
import { CreateAccountService, type NewAccount } from '../../src/features/users/accounts/accounts.service';

/** One of the people or bots that tests act as. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
}

/** The password of all people. */
export const PASSWORD = 'a plain lantern at noon';
/**
 * Its hash at the lowest cost, which is quick to verify: the server's own cost would slow down every test that signs
 * in.
 */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$tzJVe/J3iv58od7E18J+zA$d57U4tQNQp6cmRefseO3BXDG9XSLkhFa/ZXgUYgakE8';
export const OWNER_EMAIL = 'olivia@example.com';

const PEOPLE = {
  adam: { fullName: 'Adam Administrator', role: Role.administrator },
  mona: { fullName: 'Mona Moderator', role: Role.moderator },
  max: { fullName: 'Max Member', role: Role.member },
  mia: { fullName: 'Mia Member', role: Role.member },
  gus: { fullName: 'Gus Guest', role: Role.guest },
} as const;

/** The cast: an owner, an administrator, a moderator, two members, a guest, and a bot that Mia owns. */
export type Cast = Readonly<Record<'olivia' | keyof typeof PEOPLE | 'robo', Member>>;

/** Adds the cast to the organization of the first start, whose owner is Olivia. */
export async function createCast(app: NestFastifyApplication): Promise<Cast> {
  const owner = app.get(AccountDirectory, { strict: false }).byDeliveryEmail(OWNER_EMAIL);
  if (!owner) throw new Error('The first start made no owner.');
  const cast: Record<string, Member> = {
    olivia: { id: owner.id, email: owner.deliveryEmail, fullName: owner.fullName, role: owner.role },
  };
  for (const [name, { fullName, role }] of Object.entries(PEOPLE)) {
    cast[name] = await addAccount(app, {
      deliveryEmail: `${name}@example.com`,
      fullName,
      role,
      passwordHash: PASSWORD_HASH,
    });
  }
  cast['robo'] = await addAccount(app, {
    deliveryEmail: 'robo-bot@example.com',
    fullName: 'Robo Bot',
    role: Role.member,
    isBot: true,
    botType: 1,
    botOwnerId: cast['mia']?.id,
  });
  return cast as Cast;
}

/** Adds one account of any kind, in the groups of its role and in no channel. Clients receive the events. */
export async function addAccount(app: NestFastifyApplication, account: NewAccount): Promise<Member> {
  const service = <T>(token: Type<T>) => app.get(token, { strict: false });
  const row = await service(TransactionService).runExclusive(async (tx) => {
    const stored = await service(CreateAccountService).insert(tx, account);
    const told = await service(AccountChanges).announceNew(tx, stored);
    const placement = { userId: stored.id, role: stored.role, dateJoined: stored.dateJoined };
    await service(SystemGroupService).place(tx, placement, service(AccountDirectory).active);
    await service(AccountChanges).introduceToNeighbors(tx, stored, told);
    if (stored.isBot) {
      const bots = service(BotRecords);
      tx.emit(botAdded({ bot: await bots.record(tx, stored) }), bots.audienceOf(stored));
    }
    return stored;
  });
  return { id: row.id, email: row.deliveryEmail, fullName: row.fullName, role: row.role };
}
