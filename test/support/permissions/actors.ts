import { Role } from '../../../src/platform/actor';
import type { ApiClient } from '../api-client';
import type { Member } from '../cast';
import type { CompanionClient } from '../companion-client';
import { expectSuccess } from '../expect-answer';
import type { TestApp } from '../test-app';

/** The callers: each role, each kind of bot that can be created, and an anonymous caller. */
export const ACTOR_NAMES = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
  'incoming webhook',
  'outgoing webhook',
  'stranger',
] as const;
/** A column of the permission matrix. */
export type ActorName = (typeof ACTOR_NAMES)[number];

/** A caller of every endpoint. */
export interface Actor {
  readonly name: ActorName;
  /** Null for the anonymous caller. */
  readonly account: Member | null;
  readonly isPerson: boolean;
  /** A person whom no other actor uses. */
  readonly friend: Member;
  readonly client: ApiClient;
  /** With a token for people, who alone can sign in; bots use their API key. */
  readonly companion: CompanionClient;
}

/** The kinds of bot, which the member owns. */
const BOT_TYPES: Partial<Record<ActorName, number>> = {
  bot: 1,
  'incoming webhook': 2,
  'outgoing webhook': 3,
};

let accounts = 0;

/** A new person, who can sign in if given a password hash. */
export function addPerson(
  app: TestApp,
  role: Role = Role.member,
  passwordHash: string | null = null,
): Promise<Member> {
  const name = `person${++accounts}`;
  return app.addAccount({ deliveryEmail: `${name}@example.com`, fullName: name, role, passwordHash });
}

/** A new bot. */
export function addBot(app: TestApp, owner: Member, botType = 1): Promise<Member> {
  const name = `helper${++accounts}`;
  const bot = { isBot: true, botType, botOwnerId: owner.id, role: Role.member };
  return app.addAccount({ deliveryEmail: `${name}-bot@example.com`, fullName: name, ...bot });
}

/** A new account like the actor; null for the anonymous caller. */
export function addDouble(
  app: TestApp,
  { name, account }: Pick<Actor, 'name' | 'account'>,
): Promise<Member | null> {
  if (!account) return Promise.resolve(null);
  const botType = BOT_TYPES[name];
  return botType === undefined ? addPerson(app, account.role) : addBot(app, app.cast.max, botType);
}

/** Grants the right to create accounts, which no role includes; the owner of the cast has it. */
export async function mayCreateAccounts({ id }: Member, app: TestApp): Promise<void> {
  expectSuccess(await app.as(app.cast.olivia).patch(`/users/${id}`, { can_create_users: true }));
}

/** The cast and all other actors of the matrix, each with a client. */
export async function makeActors(app: TestApp): Promise<Actor[]> {
  const { olivia, adam, mona, max, gus } = app.cast;
  const people = { owner: olivia, administrator: adam, moderator: mona, member: max, guest: gus };
  const actors: Actor[] = [];
  for (const name of ACTOR_NAMES) {
    const botType = BOT_TYPES[name];
    const account =
      botType === undefined
        ? ((people as Partial<Record<ActorName, Member>>)[name] ?? null)
        : await addBot(app, max, botType);
    actors.push({
      name,
      isPerson: account !== null && botType === undefined,
      account,
      friend: await addPerson(app),
      client: account ? app.as(account) : app.client(),
      companion: await companionOf(app, account, botType === undefined),
    });
  }
  return actors;
}

/** Calls the companion interface as this account, if possible; signing in starts a new session. */
export function companionOf(
  app: TestApp,
  account: Member | null,
  isPerson: boolean,
): CompanionClient | Promise<CompanionClient> {
  if (!account) return app.companion();
  return isPerson ? app.companionAs(account) : app.companion().withToken(app.credentialsOf(account).apiKey);
}
