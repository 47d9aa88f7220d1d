import { Injectable } from '@nestjs/common';
import { isOwner, THE_OPERATOR, type Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, actorOf } from '../../users/users.module';
import { SeededRandom } from './content/sample-texts';
import { DemoPeopleService, DemoPlacesService } from './demo-places.service';
import { DemoInput } from '../operations.api';
import { DemoMessagesService } from './demo-messages.service';

const DEFAULT_SEED = 1;

/** The result of creating a sample. */
interface DemoResult {
  readonly people: number;
  readonly bots: number;
  readonly groups: number;
  readonly channels: number;
  readonly messages: number;
  readonly reactions: number;
  /** An account to sign in with. */
  readonly example: string;
}

/** Fills an organization with sample data, using the same services as clients. */
@Injectable()
export class MakeDemoService {
  constructor(
    hooks: Hooks,
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
    private readonly people: DemoPeopleService,
    private readonly places: DemoPlacesService,
    private readonly talk: DemoMessagesService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
  ) {
    hooks.on(
      operatorCommand,
      command('demo', DemoInput, (input, context) => this.make(input, context)),
    );
  }

  /** @throws CommandRefused if the organization is already in use */
  private async make(
    { messages, seed = DEFAULT_SEED, force = false }: DemoInput,
    context: OperatorContext,
  ): Promise<DemoResult> {
    const owner = this.owner();
    if (!force) await this.requireUnused();
    const random = new SeededRandom(seed);
    const people = await this.people.add(clamp(messages / 30, 5, 2_000), random, context);
    const bots = await this.people.addBots(people, random);
    const groups = await this.places.addGroups(owner, people, random);
    const channels = await this.places.addChannels(owner, people, clamp(messages / 60, 4, 40), random);
    const said = await this.talk.talk(
      messages,
      { people: [owner, ...people], bots, channels },
      random,
      context,
    );
    const [first] = people;
    const made = { people: people.length, bots: bots.length, groups, channels: channels.length, ...said };
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, THE_OPERATOR, 'server.demo_made', {}, made),
    );
    return {
      ...made,
      example: this.accounts.byId(first?.userId ?? 0)?.deliveryEmail ?? '',
    };
  }

  private owner(): Actor {
    const owner = this.accounts.all().find((each) => each.isActive && !each.isBot && isOwner(each));
    if (owner) return actorOf(owner);
    throw new CommandRefused('No organization here yet. Create one with "parley init".');
  }

  /** Ignores what the first start creates. */
  private async requireUnused(): Promise<void> {
    const others = this.accounts.all().length > 1;
    const [message] = await this.database.read.query(
      'SELECT m.id FROM message m JOIN account a ON a.id = m.sender_id WHERE NOT a.is_system_bot LIMIT 1',
    );
    if (!others && !message) return;
    throw new CommandRefused(
      'This organization already has messages, and sample data would mix with them. Use --force to add it anyway, or use ' +
        'another data folder: "parley init --data-dir demo", then "parley demo --data-dir demo".',
    );
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, Math.round(value)));
}
