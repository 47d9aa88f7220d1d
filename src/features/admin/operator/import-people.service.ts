import * as fs from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { Role, THE_OPERATOR } from '../../../platform/actor';
import { addTo, chunksOf } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { AddSubscribersService, ChannelDirectory } from '../../channels/channels.module';
import { FirstPasswordService, NewAccountService } from '../../membership/membership.module';
import { GroupDirectory, ManagedGroupsService } from '../../user-groups/user-groups.module';
import { AccountDirectory, AccountRules, emailKey, OperatorAccountAccess } from '../../users/users.module';
import { type ListedPerson, type ListProblem, readPeopleList } from './people-list';

/** Input of `user import`. */
export class ImportPeopleInput {
  /** Absolute path of the list. */
  @IsString({ message: 'The file must be a text.' }) file!: string;
  /** Whether to check the list and add nobody. */
  @IsOptional() @IsBoolean({ message: 'dryRun must be true or false.' }) dryRun?: boolean;
  /** Whether new people get a mail with a link to set a password. */
  @IsOptional() @IsBoolean({ message: 'invite must be true or false.' }) invite?: boolean;
}

/** The result of the command. */
interface ImportedPeople {
  readonly isDryRun: boolean;
  /** New accounts. */
  readonly added: number;
  /** People of the list who had an account. */
  readonly known: number;
  readonly invited: number;
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_PEOPLE = 20_000;

/** Accounts in one transaction, which keeps other changes of accounts waiting. */
const BATCH = 50;

/** Problems that are printed. */
const MOST_PROBLEMS = 50;

/**
 * Adds the people of a list, without passwords. The whole list is checked before anybody is added. People who have an
 * account keep it as it is, so that an import that was interrupted goes on where it was.
 */
@Injectable()
export class ImportPeopleService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly channels: ChannelDirectory,
    private readonly groups: GroupDirectory,
    private readonly newAccounts: NewAccountService,
    private readonly subscribers: AddSubscribersService,
    private readonly members: ManagedGroupsService,
    private readonly firstPasswords: FirstPasswordService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('user import', ImportPeopleInput, (input, context) => this.import(input, context)),
    );
  }

  /** @throws CommandRefused naming the lines that are wrong */
  private async import(
    { file, dryRun = false, invite = false }: ImportPeopleInput,
    context: OperatorContext,
  ): Promise<ImportedPeople> {
    this.access.actor();
    if (invite && !this.firstPasswords.isAvailable)
      throw new CommandRefused('The server cannot send email. Set SMTP_URL, or omit --invite.');
    const people = this.checked(await textOf(file));
    const added = people.filter(({ email }) => !this.accounts.byDeliveryEmail(email));
    const result = {
      isDryRun: dryRun,
      added: added.length,
      known: people.length - added.length,
      invited: invite ? added.length : 0,
    };
    if (dryRun) return result;
    let done = 0;
    for (const some of chunksOf(added, BATCH)) {
      context.signal.throwIfAborted();
      await this.transactions.runExclusive(async (tx) => {
        for (const person of some) await this.add(tx, person, invite);
      });
      done += some.length;
      context.report({ done, total: added.length, what: 'people' });
    }
    await this.transactions.runExclusive((tx) => this.subscribe(tx, people));
    await this.transactions.runExclusive((tx) => this.putIntoGroups(tx, people));
    return result;
  }

  /** @throws CommandRefused */
  private checked(text: string): readonly ListedPerson[] {
    const { people, problems } = readPeopleList(text);
    if (people.length > MAX_PEOPLE)
      throw new CommandRefused(`The list has more than ${MAX_PEOPLE} people. Split it.`);
    const lineOf = new Map<string, number>();
    for (const person of people) {
      const key = emailKey(person.email);
      const first = lineOf.get(key);
      lineOf.set(key, first ?? person.line);
      const found = this.problemsOf(person);
      if (first !== undefined) found.push(`Line ${first} has the same address.`);
      problems.push(...found.map((problem) => ({ line: person.line, problem })));
    }
    if (problems.length > 0) throw new CommandRefused(`${explain(problems)}\nNobody was added.`);
    if (people.length === 0) throw new CommandRefused('The list names nobody.');
    return people;
  }

  private problemsOf({ email, name, channels, groups }: ListedPerson): string[] {
    const known = this.accounts.byDeliveryEmail(email);
    const problems = known
      ? [...(known.isBot ? ['The address is that of a bot.'] : known.isActive ? [] : [DEACTIVATED])]
      : this.refusalOf(email, name);
    for (const each of channels) {
      const channel = this.channels.byName(each);
      if (!channel) problems.push(`There is no channel "${each}".`);
      else if (channel.isArchived) problems.push(`The channel "${each}" is archived.`);
    }
    for (const each of groups) {
      const group = this.groups.byName(each);
      if (!group || group.isDeactivated) problems.push(`There is no user group "${each}".`);
      else if (group.isSystem) problems.push(`Members of "${each}" follow from their roles.`);
    }
    return problems;
  }

  private refusalOf(email: string, name: string): string[] {
    if (!this.rules.isUsableEmail(email)) return [`"${email}" is not a valid email address.`];
    try {
      this.rules.requireAllowedDomain(email);
      this.rules.requireUniqueName(this.rules.checkedFullName(name));
      return [];
    } catch (error) {
      if (error instanceof ApiError) return [error.message];
      throw error;
    }
  }

  /** Checks again what others may have changed meanwhile. */
  private async add(tx: Transaction, person: ListedPerson, invite: boolean): Promise<void> {
    const { line, email, name } = person;
    if (this.accounts.byDeliveryEmail(email)) return;
    const problems = this.refusalOf(email, name);
    if (problems.length > 0)
      throw new CommandRefused(`${explain(problems.map((problem) => ({ line, problem })))}\n${CONTINUE}`);
    const role = Role[person.role];
    const fullName = this.rules.checkedFullName(name);
    const account = { deliveryEmail: email, fullName, role, awaitsFirstLogin: true };
    const { id: userId } = await this.newAccounts.add(tx, account);
    this.audit.record(tx, THE_OPERATOR, 'user.created', { userId }, { role });
    if (invite) await this.firstPasswords.request(tx, { userId, isNew: true });
  }

  private async subscribe(tx: Transaction, people: readonly ListedPerson[]): Promise<void> {
    const additions = [...this.idsBy(people, 'channels')].flatMap(([name, userIds]) => {
      const channel = this.channels.byName(name);
      return channel && !channel.isArchived ? [{ channel, userIds }] : [];
    });
    await this.subscribers.add(tx, additions);
  }

  private async putIntoGroups(tx: Transaction, people: readonly ListedPerson[]): Promise<void> {
    for (const [name, userIds] of this.idsBy(people, 'groups')) {
      const group = this.groups.byName(name);
      if (!group || group.isDeactivated || userIds.every((id) => group.members.has(id))) continue;
      const wanted = new Set([...group.members, ...userIds]);
      await this.members.setMembers(tx, this.access.actor(), group, wanted, true);
    }
  }

  private idsBy(
    people: readonly ListedPerson[],
    what: 'channels' | 'groups',
  ): ReadonlyMap<string, readonly number[]> {
    const ids = new Map<string, number[]>();
    for (const person of people) {
      const account = this.accounts.byDeliveryEmail(person.email);
      for (const name of new Set(person[what])) if (account?.isActive) addTo(ids, name, account.id);
    }
    return ids;
  }
}

const DEACTIVATED =
  'The account with this address is deactivated. Reactivate it with "parley user reactivate".';
const CONTINUE = 'People of earlier lines may have been added. Correct the file and run the command again.';

function explain(problems: readonly ListProblem[]): string {
  const lines = [...problems]
    .sort((a, b) => a.line - b.line)
    .slice(0, MOST_PROBLEMS)
    .map(({ line, problem }) => `Line ${line}: ${problem}`);
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/** @throws CommandRefused */
async function textOf(path: string): Promise<string> {
  const stats = await fs.stat(path).catch(() => null);
  if (!stats?.isFile()) throw new CommandRefused(`${path} does not exist, or the server cannot read it.`);
  if (stats.size > MAX_BYTES) throw new CommandRefused(`${path} is too large for a list of people.`);
  const bytes = await fs.readFile(path);
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD')) throw new CommandRefused(`${path} is not UTF-8. Save it as "CSV UTF-8".`);
  return text;
}
