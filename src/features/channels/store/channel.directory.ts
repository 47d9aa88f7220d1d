import { Injectable } from '@nestjs/common';
import { entityRows } from '../../../platform/database/entity-rows';
import type { Queryable } from '../../../platform/database/queryable';
import { Snapshot } from '../../../platform/events/snapshot';
import { SnapshotRegistry } from '../../../platform/events/snapshot-registry';
import { Channel } from './channel.entity';
import { channelNameKey } from './channel-name';
import { compareCodePoints } from './code-points';

/** A channel as the directory holds it. Replaced, never changed, so that the object itself tells a version. */
export type ChannelRecord = Readonly<Channel>;

/** All channels in memory, archived ones included. Touched by channel IDs. */
@Injectable()
export class ChannelDirectory extends Snapshot {
  readonly name = 'channels';

  private readonly channels = new Map<number, ChannelRecord>();
  private readonly idByNameKey = new Map<string, number>();
  private sorted: readonly ChannelRecord[] | undefined;

  constructor(registry: SnapshotRegistry) {
    super();
    registry.register(this);
  }

  byId(id: number): ChannelRecord | undefined {
    return this.channels.get(id);
  }

  /** The channel of this name in any case and with any white space around it. */
  byName(name: string): ChannelRecord | undefined {
    const id = this.idByNameKey.get(channelNameKey(name));
    return id === undefined ? undefined : this.channels.get(id);
  }

  /** Every channel, sorted by the code points of its name. Shared, not a copy. */
  all(): readonly ChannelRecord[] {
    this.sorted ??= [...this.channels.values()].sort((a, b) => compareCodePoints(a.name, b.name));
    return this.sorted;
  }

  /** IDs of the channels that newcomers are subscribed to, ascending. */
  defaultIds(): number[] {
    const defaults = this.all().filter(({ isDefault }) => isDefault);
    return defaults.map(({ id }) => id).sort((a, b) => a - b);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await entityRows(db, Channel);
    this.channels.clear();
    this.idByNameKey.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await entityRows(db, Channel, 'WHERE id IN (?)', [ids]);
    for (const id of ids) this.forget(id);
    this.keep(rows);
  }

  private keep(rows: readonly Channel[]): void {
    for (const row of rows) {
      this.channels.set(row.id, row);
      this.idByNameKey.set(row.nameKey, row.id);
    }
    this.sorted = undefined;
  }

  private forget(id: number): void {
    const before = this.channels.get(id);
    if (!before) return;
    this.idByNameKey.delete(before.nameKey);
    this.channels.delete(id);
  }
}
