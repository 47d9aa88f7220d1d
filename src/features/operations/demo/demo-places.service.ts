import { Injectable } from '@nestjs/common';
import {
  CHANNELS,
  FIRST_NAMES,
  LAST_NAMES,
  type SeededRandom,
  STATUSES,
  TEAMS,
} from './content/sample-texts';
import { type Actor, BotType, isGuest, Role } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { OperatorContext } from '../../../platform/operator/operator-commands';
import {
  ChannelDirectory,
  ChannelFoldersService,
  DEFAULT_CHANNEL_OPTIONS,
  SubscribeService,
} from '../../channels/channels.module';
import { CreateBotService, NewAccountService } from '../../membership/membership.module';
import { UserStatusService } from '../../presence/presence.module';
import { CreateUserGroupService, GroupDirectory } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, actorOf } from '../../users/users.module';

/** A sample channel and its members. */
export interface DemoChannel {
  readonly name: string;
  readonly members: readonly Actor[];
}

/** Creates sample channels, folders and groups. */
@Injectable()
export class DemoPlacesService {
  constructor(
    private readonly folders: ChannelFoldersService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscribeService,
    private readonly createGroup: CreateUserGroupService,
    private readonly groups: GroupDirectory,
  ) {}

  /** Adds one group per team, as long as there are people for it. */
  async addGroups(owner: Actor, people: readonly Actor[], random: SeededRandom): Promise<number> {
    const members = people.filter((person) => !isGuest(person));
    const wanted = TEAMS.slice(0, Math.max(1, Math.floor(members.length / 4)));
    for (const name of wanted) {
      if (this.groups.byName(name)) continue;
      const memberIds = random.some(members, Math.ceil(members.length / 3)).map(({ userId }) => userId);
      await this.createGroup.create(owner, {
        name,
        description: `The team for ${name}`,
        memberIds,
        subgroupIds: [],
        settings: {},
      });
    }
    return wanted.length;
  }

  /** @param owner subscribed to all of them */
  async addChannels(
    owner: Actor,
    people: readonly Actor[],
    count: number,
    random: SeededRandom,
  ): Promise<DemoChannel[]> {
    const folderIds = await this.addFolders(owner, Math.ceil(count / 4));
    const made: DemoChannel[] = [];
    for (let at = 0; at < count; at++) {
      const sample = CHANNELS[at % CHANNELS.length] as (typeof CHANNELS)[number];
      const name =
        at < CHANNELS.length ? sample.name : `${sample.name} ${Math.floor(at / CHANNELS.length) + 1}`;
      // Everyone is in the first channels.
      const members =
        at === 0
          ? people
          : random.some(people, Math.max(3, random.between(people.length / 4, people.length)));
      await this.subscriptions.subscribe(owner, {
        channels: [{ name, description: sample.about }],
        options: {
          ...DEFAULT_CHANNEL_OPTIONS,
          isPrivate: sample.isPrivate,
          isDefault: at === 0,
          folderId: random.happens(0.75) ? random.of(folderIds) : null,
        },
        principals: [owner, ...members].map(({ userId }) => userId),
        announce: false,
        isAuthorizationFatal: true,
        sendMessages: false,
      });
      made.push({ name, members: [owner, ...members] });
    }
    return made;
  }

  private async addFolders(owner: Actor, count: number): Promise<number[]> {
    const known = await this.folders.list(false);
    const ids: number[] = [];
    for (const name of TEAMS.slice(0, count)) {
      const there = known.find((folder) => folder.name === name);
      ids.push(there?.id ?? (await this.folders.create(owner, name, `Channels of ${name}`)));
    }
    return ids;
  }
}

/** People created in one transaction, during which others wait. */
const PEOPLE_PER_STEP = 20;

/** One in this many people owns a bot. */
const PEOPLE_PER_BOT = 12;

/** Creates sample people and bots. */
@Injectable()
export class DemoPeopleService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly newAccounts: NewAccountService,
    private readonly bots: CreateBotService,
    private readonly statuses: UserStatusService,
  ) {}

  /** @returns the people, including those whose addresses already existed */
  async add(count: number, random: SeededRandom, { signal, report }: OperatorContext): Promise<Actor[]> {
    const wanted = Array.from({ length: count }, (_, at) => this.person(at, random));
    for (let at = 0; at < wanted.length; at += PEOPLE_PER_STEP) {
      signal.throwIfAborted();
      report({ done: at, total: count, what: 'people' });
      await this.transactions.runExclusive(async (tx) => {
        for (const person of wanted.slice(at, at + PEOPLE_PER_STEP)) {
          if (!this.accounts.byDeliveryEmail(person.deliveryEmail)) await this.newAccounts.add(tx, person);
        }
      });
    }
    const people = wanted.map(({ deliveryEmail }) =>
      actorOf(this.accounts.byDeliveryEmail(deliveryEmail) as AccountRecord),
    );
    for (const person of people.filter(() => random.happens(0.25))) {
      await this.statuses.update(person, person.userId, { text: random.of(STATUSES), emoji: {} });
    }
    return people;
  }

  /** @returns the bots */
  async addBots(owners: readonly Actor[], random: SeededRandom): Promise<Actor[]> {
    const count = Math.max(1, Math.floor(owners.length / PEOPLE_PER_BOT));
    // Guests may not create bots.
    const able = owners.filter((owner) => !isGuest(owner));
    const bots: Actor[] = [];
    for (const [at, owner] of random.some(able, count).entries()) {
      const address = `builds-${at + 1}`;
      const known = this.accounts.all().find(({ emailKey }) => emailKey.startsWith(`${address}-bot@`));
      const userId = known?.id ?? (await this.addBot(owner, `Builds ${at + 1}`, address));
      bots.push(actorOf(this.accounts.existing(userId)));
    }
    return bots;
  }

  private async addBot(owner: Actor, fullName: string, shortName: string): Promise<number> {
    const bot = { fullName, shortName, botType: BotType.generic, interfaceType: 1, config: {} };
    const { user_id: userId } = await this.bots.create(owner, bot, null);
    return userId;
  }

  private person(at: number, random: SeededRandom) {
    const first = FIRST_NAMES[at % FIRST_NAMES.length] as string;
    const last = LAST_NAMES[(at * 7 + Math.floor(at / FIRST_NAMES.length)) % LAST_NAMES.length] as string;
    // Once all pairs of names are used, a number distinguishes further ones.
    const round = Math.floor(at / (FIRST_NAMES.length * LAST_NAMES.length));
    const suffix = round === 0 ? '' : String(round + 1);
    return {
      deliveryEmail: `${first}.${last}${suffix}@example.com`.toLowerCase(),
      fullName: `${first} ${last}${suffix && ` ${suffix}`}`,
      role: at === 0 ? Role.administrator : this.role(random),
      awaitsFirstLogin: true,
    };
  }

  private role(random: SeededRandom): Role {
    const chance = random.next();
    if (chance < 0.05) return Role.moderator;
    return chance < 0.12 ? Role.guest : Role.member;
  }
}
