import { Injectable } from '@nestjs/common';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';
import { composedName } from '../../../platform/names/visible-name';
import { Channel } from './channel.entity';

/** A channel as the directory holds it. Replaced, never changed, so that the object itself tells a version. */
export type ChannelRecord = Readonly<Channel>;

/** What must be unique about a name: its lower-case form, trimmed. */
export function channelNameKey(name: string): string {
  return name.trim().toLowerCase();
}

/** All channels in memory, archived ones included. Touched by channel IDs. */
@Injectable()
export class ChannelDirectory extends Directory {
  readonly name = 'channels';

  private readonly channels = new Map<number, ChannelRecord>();
  private readonly idByNameKey = new Map<string, number>();
  private sorted: readonly ChannelRecord[] | undefined;

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  byId(id: number): ChannelRecord | undefined {
    return this.channels.get(id);
  }

  /** The channel of this name in any case, its characters composed or not, with any spaces. */
  byName(name: string): ChannelRecord | undefined {
    const key = channelNameKey(name);
    const id = this.idByNameKey.get(key) ?? this.idByNameKey.get(composedName(key));
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

/** Orders texts by their code points, as the interface sorts names; UTF-16 units would put some emoji too early. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for the highest code points, behind all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
