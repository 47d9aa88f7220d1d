import {
  ApiError,
  Clock,
  Database,
  defineJob,
  Groups,
  Injectable,
  Jobs,
  Messages,
  People,
  type Transaction,
  Transactions,
} from 'parley/module';
import { CalendarFolder } from './calendar-folder';
import { recordOf, rotationChanged } from './oncall.events';
import { OncallSettings } from './oncall-settings';
import { Rotation } from './rotation.entity';

/** A calendar is to be looked at. */
export const lookAtCalendar = defineJob<{ rotationId: number }>('module_oncall_look');

/** What came of looking at a calendar. */
export type Outcome = Pick<Rotation, 'onCall' | 'until' | 'problem'>;

/** Looks at calendars, and has groups follow them. */
@Injectable()
export class TurnService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly calendars: CalendarFolder,
    private readonly people: People,
    private readonly groups: Groups,
    private readonly messages: Messages,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly settings: OncallSettings,
  ) {
    jobs.handle(lookAtCalendar, {
      work: async ({ data }) => this.look(data.rotationId),
      retry: { delaysMs: [1_000, 60_000], forMs: 86_400_000 },
      timeoutMs: 30_000,
    });
  }

  /** Looks at the calendar of a rotation, and tells people where somebody takes over, or something is wrong. */
  async look(id: number): Promise<void> {
    const before = await this.database.read.repository(Rotation).findOneBy({ id });
    if (!before) return;
    const outcome = await this.follow(before);
    const after = Object.assign(new Rotation(), before, outcome);
    const isSame = JSON.stringify(recordOf(before)) === JSON.stringify(recordOf(after));
    const isStored = await this.transactions.run(async (tx) => {
      const { affected } = await tx.repository(Rotation).update({ id }, outcome);
      if (!affected) return false;
      if (!isSame) tx.emit(rotationChanged({ rotation: recordOf(after) }), this.people.everybody());
      await this.planNext(tx, after);
      return true;
    });
    if (!isStored) return;
    if (after.onCall !== before.onCall) await this.announce(after);
    if (after.problem !== null && after.problem !== before.problem) await this.complain(after);
  }

  /** Has the group follow the calendar. What is wrong is part of the outcome; then all stays as it was. */
  async follow(rotation: Rotation): Promise<Outcome> {
    try {
      const { addresses, until } = await this.calendars.turn(rotation.calendar, this.clock.nowSeconds());
      const userIds = addresses.map((address) => this.idOf(address)).sort((a, b) => a - b);
      const actor = this.people.actor(rotation.setUpBy);
      if (!actor) throw new ApiError('Whoever set this up has left.');
      await this.groups.setMembers(actor, rotation.groupId, userIds);
      return { onCall: JSON.stringify(userIds), until, problem: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { onCall: rotation.onCall, until: rotation.until, problem: error.message };
    }
  }

  /** At the next turn, and before that every few minutes, since the file may change. */
  async planNext(tx: Transaction, { id, until }: Pick<Rotation, 'id' | 'until'>): Promise<void> {
    const soon = this.clock.nowMs() + this.settings.minutes * 60_000;
    const turn = until === null ? Infinity : Number(until) * 1_000;
    const dueAt = turn > this.clock.nowMs() ? Math.min(soon, turn) : soon;
    await this.jobs.enqueue(tx, { kind: lookAtCalendar, data: { rotationId: id }, key: String(id), dueAt });
  }

  /** Says in the channel who has taken over, where one was named. */
  async announce({ channelId, topic, onCall, until }: Rotation): Promise<void> {
    if (channelId === null) return;
    const names = (JSON.parse(onCall) as number[]).map((id) => `@_**|${id}**`);
    const who = names.length > 0 ? `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'}` : 'Nobody is';
    const end = until === null ? '' : ` until <time:${new Date(Number(until) * 1000).toISOString()}>`;
    await this.messages.notify({ channelId, topic }, `${who} on call${end}.`);
  }

  private async complain({ setUpBy, problem, groupId }: Rotation): Promise<void> {
    if (!this.people.actor(setUpBy)) return;
    const group = this.groups.find(groupId)?.name ?? String(groupId);
    await this.messages.notify(
      { userId: setUpBy },
      `The group ${group} does not follow its calendar: ${problem}`,
    );
  }

  private idOf(address: string): number {
    const person = this.people.findByAddress(address);
    if (!person?.isActive) throw new ApiError(`Nobody here has the address ${address}.`);
    return person.id;
  }
}
