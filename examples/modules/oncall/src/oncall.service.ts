import {
  type Actor,
  ApiError,
  Audit,
  Channels,
  Database,
  Groups,
  Injectable,
  isAdministrator,
  Jobs,
  Moments,
  People,
  type Queryable,
  Transactions,
} from 'parley/module';
import { LookInput, type SetUpRotationDto } from './oncall.dto';
import { recordOf, rotationChanged, type RotationRecord, rotationRemoved } from './oncall.events';
import { Rotation } from './rotation.entity';
import { lookAtCalendar, TurnService } from './turn.service';

/** Sets up rotations and gives them up. */
@Injectable()
export class OncallService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly turns: TurnService,
    private readonly groups: Groups,
    private readonly channels: Channels,
    private readonly people: People,
    private readonly audit: Audit,
    private readonly jobs: Jobs,
    moments: Moments,
  ) {
    moments.onRegister('module_oncall', (db) => all(db));
    moments.onCommand('oncall', 'look', LookInput, () => this.lookAtAll());
  }

  list(): Promise<RotationRecord[]> {
    return all(this.database.read);
  }

  /** @throws ApiError where the calendar cannot be followed, or the actor may not change the group */
  async setUp(actor: Actor, input: SetUpRotationDto): Promise<RotationRecord> {
    const { group_id: groupId, calendar, channel_id: channelId = null, topic } = input;
    const group = this.groups.find(groupId);
    if (!group || group.isSystem) throw new ApiError('Invalid user group');
    if (channelId !== null) this.channels.readable(actor, channelId);
    const wanted = Object.assign(new Rotation(), {
      groupId,
      calendar,
      channelId,
      topic,
      setUpBy: actor.userId,
      onCall: '[]',
      until: null,
      problem: null,
    });
    const outcome = await this.turns.follow(wanted);
    if (outcome.problem !== null) throw new ApiError(outcome.problem);
    const rotation = await this.transactions.run(async (tx) => {
      const rotations = tx.repository(Rotation);
      if (await rotations.existsBy({ groupId })) throw new ApiError('This group follows a calendar already.');
      const saved = await rotations.save(Object.assign(wanted, outcome));
      tx.emit(rotationChanged({ rotation: recordOf(saved) }), this.people.everybody());
      await this.audit.record(tx, actor, 'oncall.set_up', { group_id: groupId, calendar });
      await this.turns.planNext(tx, saved);
      return saved;
    });
    await this.turns.announce(rotation);
    return recordOf(rotation);
  }

  /** @throws ApiError for a rotation that there is not, and for those of others */
  async giveUp(actor: Actor, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const rotation = await tx.repository(Rotation).findOneBy({ id });
      if (!rotation) throw new ApiError('Invalid rotation ID');
      if (rotation.setUpBy !== actor.userId && !isAdministrator(actor)) {
        throw new ApiError('Only who set up a rotation, and administrators, can give it up.');
      }
      await tx.repository(Rotation).delete({ id });
      await this.jobs.cancel(tx, lookAtCalendar, [String(id)]);
      await this.audit.record(tx, actor, 'oncall.given_up', { group_id: rotation.groupId });
      tx.emit(rotationRemoved({ rotation_id: id }), this.people.everybody());
    });
  }

  private async lookAtAll(): Promise<{ rotations: RotationRecord[] }> {
    for (const { id } of await this.list()) await this.turns.look(id);
    return { rotations: await this.list() };
  }
}

async function all(db: Queryable): Promise<RotationRecord[]> {
  const rows = await db.repository(Rotation).find({ order: { id: 'ASC' } });
  return rows.map(recordOf);
}
