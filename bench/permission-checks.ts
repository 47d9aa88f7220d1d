import 'reflect-metadata';
import './outside-of-tests';
import type { Actor } from '../src/platform/actor';
import { TransactionService } from '../src/platform/database/transaction.service';
import { Directories } from '../src/platform/events/directories';
import { CreateUserGroupService } from '../src/features/user-groups/administration/create-user-group.service';
import { GroupDirectory } from '../src/features/user-groups/groups/group.directory';
import {
  PermissionService,
  type Requester,
} from '../src/features/user-groups/permissions/permission.service';
import { UpdateGroupMembersService } from '../src/features/user-groups/members/update-group-members.service';
import { Account } from '../src/features/users/accounts/account.entity';
import { TestApp } from '../test/support/test-app';

/**
 * What a permission check costs where the group has 10,000 members: direct ones, and the same ones ten groups
 * further down. Both in turns, so that what else the machine does hits both alike. Then what it costs when one
 * person comes to such a group or leaves it. Run it with `npx ts-node bench/permission-checks.ts [engine]`.
 */
process.env.TEST_ENGINE = process.argv[2] ?? 'better-sqlite3';

const MEMBERS = 10_000;
const DEPTH = 10;
const ROUNDS = 200;
const CHANGES = 200;
const DEFINITION = { default: 'role:nobody', allowsNobody: true, allowsEveryone: false } as const;

/** Accounts like an existing one, written directly, since making them one by one would take long. */
async function addAccounts(app: TestApp): Promise<number[]> {
  return app.get(TransactionService).runExclusive(async (tx) => {
    const accounts = tx.repository(Account);
    const { id: _, ...template } = await accounts.findOneByOrFail({ id: app.cast.max.id });
    const rows = Array.from({ length: MEMBERS }, (_row, n) => {
      const email = `person${n}@example.com`;
      return { ...template, deliveryEmail: email, emailKey: email, keyNonce: `${template.keyNonce}${n}` };
    });
    const saved = await accounts.save(rows, { chunk: 500 });
    return saved.map(({ id }) => id);
  });
}

/** A chain of groups of which the last one holds the people. @returns the ID of the first one */
async function addGroups(
  app: TestApp,
  name: string,
  depth: number,
  userIds: readonly number[],
): Promise<number> {
  const creating = app.get(CreateUserGroupService);
  let subgroupIds: number[] = [];
  for (let level = 0; level < depth; level++) {
    const memberIds = level === 0 ? userIds : [];
    const group = { name: `${name} ${level}`, description: '', memberIds, subgroupIds, settings: {} };
    subgroupIds = [await creating.create(actorOf(app), group)];
  }
  return subgroupIds[0] as number;
}

/** @returns nanoseconds a check */
function check(permissions: PermissionService, people: readonly Requester[], groupId: number): number {
  const since = process.hrtime.bigint();
  for (const person of people) {
    if (!permissions.allows(person, groupId, DEFINITION)) throw new Error('A member was refused.');
  }
  return Number(process.hrtime.bigint() - since) / people.length;
}

function compareChecks(app: TestApp, userIds: readonly number[], flat: number, deep: number): string {
  const permissions = app.get(PermissionService);
  const people = userIds.map((userId): Requester => ({ userId, role: 400 }));
  const times: { flat: number; deep: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const once = (groupId: number) => check(permissions, people, groupId);
    // Whichever comes second finds the people in the processor's cache.
    if (round % 2 === 0) times.push({ flat: once(flat), deep: once(deep) });
    else times.push({ deep: once(deep), flat: once(flat) });
  }
  const flatNs = median(times.map((time) => time.flat));
  const deepNs = median(times.map((time) => time.deep));
  const figures = `${flatNs.toFixed(0)} ns flat, ${deepNs.toFixed(0)} ns ${DEPTH} groups deep`;
  return `a check among ${MEMBERS} members: ${figures}, ratio ${(deepNs / flatNs).toFixed(2)}`;
}

function actorOf({ cast: { olivia } }: TestApp): Actor {
  return {
    userId: olivia.id,
    role: olivia.role,
    isBot: false,
    botType: null,
    ownerId: null,
    way: 'main',
    address: '127.0.0.1',
    clientName: 'bench',
  };
}

async function measureChanges(app: TestApp, groupId: number): Promise<string> {
  const changes = app.get(UpdateGroupMembersService);
  const actor = actorOf(app);
  const none = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
  const times: number[] = [];
  for (let n = 0; n < CHANGES; n++) {
    const list = [actor.userId];
    const since = performance.now();
    await changes.updateMembers(
      actor,
      groupId,
      n % 2 === 0 ? { ...none, add: list } : { ...none, remove: list },
    );
    times.push(performance.now() - since);
  }
  return `one person more or less among ${MEMBERS} members: ${median(times).toFixed(1)} ms`;
}

function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
}

async function main(): Promise<void> {
  const app = await TestApp.start();
  try {
    const userIds = await addAccounts(app);
    await app.get(Directories).loadAll();
    const flat = await addGroups(app, 'flat', 1, userIds);
    const deep = await addGroups(app, 'deep', DEPTH, userIds);
    if (app.get(GroupDirectory).membersOf(deep).size !== MEMBERS) throw new Error('Members are missing.');
    process.stdout.write(`${compareChecks(app, userIds, flat, deep)}\n`);
    process.stdout.write(`${await measureChanges(app, flat)}\n`);
  } finally {
    await app.stop();
  }
}

void main();
