import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  DefaultChannelGroup,
  DefaultChannelGroupChannel,
  type StoredGroup,
  storedGroups,
} from './default-channel-group.entity';
import {
  ChannelAlreadyInGroup,
  ChannelIsDefault,
  ChannelIsPrivate,
  ChannelNotInGroup,
  DefaultChannelGroupChangeMissing,
  DefaultChannelGroupExists,
  DefaultChannelGroupNameBlank,
  DefaultChannelGroupNameCharacterInvalid,
  DefaultChannelGroupNameHasNull,
  DefaultChannelGroupNameTooLong,
  DefaultChannelGroupNameUnchanged,
  defaultChannelGroupsReplaced,
  defaultChannelGroupsState,
  DefaultChannelGroupUnknown,
  defaultChannelGroupWire,
  type DefaultChannelGroupWire,
  MAX_CHANNELS,
  MAX_DEFAULT_GROUP_NAME_LENGTH,
  TooManyChannelsInGroup,
  TooManyDefaultChannelGroups,
} from './default-channel-groups.api';
import { type Actor, isGuest } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { codePointLength } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import type { Queryable } from '../../../platform/sql/queryable';
import { type AuditDetails, AuditLog, differences } from '../../audit/audit.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { type ChannelChanged, channelChanged } from '../channels.hooks';
import { ChannelDirectory, type ChannelRecord, compareCodePoints } from '../store/channel.directory';

/**
 * Validates the name of a group.
 * @returns the name, trimmed and in NFC
 * @throws DefaultChannelGroupNameBlank, DefaultChannelGroupNameTooLong, DefaultChannelGroupNameHasNull,
 * DefaultChannelGroupNameCharacterInvalid
 */
function checkGroupName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new DefaultChannelGroupNameBlank(given);
  if (codePointLength(name) > MAX_DEFAULT_GROUP_NAME_LENGTH)
    throw new DefaultChannelGroupNameTooLong(MAX_DEFAULT_GROUP_NAME_LENGTH);
  if (name.includes('\0')) throw new DefaultChannelGroupNameHasNull(name);
  const position = forbiddenPlace(name);
  if (position > 0) throw new DefaultChannelGroupNameCharacterInvalid(position);
  return name;
}

/** Sends clients the groups, and updates groups when a channel changes. Guests receive none. */
@Injectable()
export class DefaultChannelGroupsStateService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('default_stream_groups', async (db, { reader }) =>
        defaultChannelGroupsState(reader && !isGuest(reader) ? await this.list(db) : []),
      ),
    );
    hooks.on(channelChanged, (tx, change) => this.follow(tx, change));
  }

  /** All groups with their channels, sorted by name. */
  async list(db: Queryable): Promise<DefaultChannelGroupWire[]> {
    const groups = await storedGroups(db);
    return groups.map((group) => defaultChannelGroupWire(group, this.channels.all()));
  }

  /** Emits the current groups to everyone who may see them. */
  async emit(tx: Transaction): Promise<void> {
    tx.emit(defaultChannelGroupsReplaced(await this.list(tx)), this.accounts.members);
  }

  /** A channel that becomes archived or private leaves its groups; a renamed one changes its position in them. */
  private async follow(tx: Transaction, change: ChannelChanged): Promise<void> {
    const { before, after } = { before: change.before.channel, after: change.after.channel };
    const leaves = (after.isArchived && !before.isArchived) || (after.isPrivate && !before.isPrivate);
    if (!leaves && after.name === before.name) return;
    const old = await this.list(tx);
    if (leaves) await tx.repository(DefaultChannelGroupChannel).delete({ channelId: after.id });
    const channels = this.channels.all().map((channel) => (channel.id === after.id ? after : channel));
    channels.sort((a, b) => compareCodePoints(a.name, b.name));
    const groups = (await storedGroups(tx)).map((group) => defaultChannelGroupWire(group, channels));
    if (JSON.stringify(groups) === JSON.stringify(old)) return;
    tx.emit(defaultChannelGroupsReplaced(groups), this.accounts.members);
  }
}

/** All groups are part of the initial state of clients. */
const MAX_GROUPS = 100;

/** A group to create. */
interface NewDefaultChannelGroup {
  readonly name: string;
  readonly description: string;
  readonly channelNames: readonly string[];
}

/** Creates and changes the groups of channels that new users can choose. Callers are administrators. */
@Injectable()
export class DefaultChannelGroupsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly access: ChannelAccess,
    private readonly state: DefaultChannelGroupsStateService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @throws InvalidChannelName, ChannelIsDefault, ChannelIsPrivate, errors of the name, DefaultChannelGroupExists,
   *   TooManyDefaultChannelGroups
   */
  async create(
    caller: Actor,
    { name: given, description, channelNames }: NewDefaultChannelGroup,
  ): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channels = this.channelsFor(actor, channelNames);
      for (const channel of channels) requireFit(channel, given);
      const name = checkGroupName(given);
      const groups = await storedGroups(tx);
      requireFree(name, groups);
      if (groups.length >= MAX_GROUPS) throw new TooManyDefaultChannelGroups(MAX_GROUPS);
      const { id } = await tx.repository(DefaultChannelGroup).save({ name, description });
      await this.put(tx, id, channels);
      const details = { name, channels: idsOf(channels) };
      this.audit.record(tx, actor, 'default_channel_group.created', { id }, details);
      await this.state.emit(tx);
    });
  }

  /**
   * @param changes an empty name means no change
   * @throws DefaultChannelGroupChangeMissing, DefaultChannelGroupUnknown, DefaultChannelGroupNameUnchanged,
   * DefaultChannelGroupExists, errors of the name
   */
  async update(
    caller: Actor,
    groupId: number,
    { name: given, description }: { readonly name?: string; readonly description?: string },
  ): Promise<void> {
    if (!given && !description) throw new DefaultChannelGroupChangeMissing();
    const name = given ? checkGroupName(given) : undefined;
    await this.change(caller, groupId, async (tx, actor, group, groups) => {
      if (name === group.name) throw new DefaultChannelGroupNameUnchanged(name);
      if (name !== undefined) requireFree(name, groups);
      if (name === undefined && description === group.description) return;
      await tx.repository(DefaultChannelGroup).update({ id: groupId }, { name, description });
      await this.told(tx, actor, group, differences(group, { name, description }) ?? {});
    });
  }

  /** @throws DefaultChannelGroupUnknown */
  async delete(caller: Actor, groupId: number): Promise<void> {
    await this.change(caller, groupId, async (tx, actor, { id, name }) => {
      await tx.repository(DefaultChannelGroupChannel).delete({ groupId: id });
      await tx.repository(DefaultChannelGroup).delete({ id });
      this.audit.record(tx, actor, 'default_channel_group.deleted', { id }, { name });
      await this.state.emit(tx);
    });
  }

  /**
   * @throws DefaultChannelGroupUnknown, InvalidChannelName, ChannelIsDefault, ChannelIsPrivate, ChannelAlreadyInGroup,
   *   TooManyChannelsInGroup
   */
  async addChannels(caller: Actor, groupId: number, names: readonly string[]): Promise<void> {
    await this.change(caller, groupId, async (tx, actor, group) => {
      const added = this.channelsFor(actor, names);
      for (const channel of added) {
        requireFit(channel, group.name);
        if (group.channelIds.has(channel.id)) throw new ChannelAlreadyInGroup(channel.name, group.name);
      }
      if (group.channelIds.size + added.length > MAX_CHANNELS) throw new TooManyChannelsInGroup(MAX_CHANNELS);
      await this.put(tx, groupId, added);
      if (added.length > 0) await this.told(tx, actor, group, { added: idsOf(added) });
    });
  }

  /** @throws DefaultChannelGroupUnknown, InvalidChannelName, ChannelNotInGroup */
  async removeChannels(caller: Actor, groupId: number, names: readonly string[]): Promise<void> {
    await this.change(caller, groupId, async (tx, actor, group) => {
      const removed = this.channelsFor(actor, names);
      const other = removed.find(({ id }) => !group.channelIds.has(id));
      if (other) throw new ChannelNotInGroup(other.name, group.name);
      const channelId = In(idsOf(removed));
      await tx.repository(DefaultChannelGroupChannel).delete({ groupId, channelId });
      if (removed.length > 0) await this.told(tx, actor, group, { removed: idsOf(removed) });
    });
  }

  /**
   * Runs work on a group and the list of groups; exclusive, so nothing else changes them meanwhile.
   * @throws DefaultChannelGroupUnknown
   */
  private async change(
    caller: Actor,
    groupId: number,
    work: (
      tx: Transaction,
      actor: Actor,
      group: StoredGroup,
      groups: readonly StoredGroup[],
    ) => Promise<void>,
  ): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const groups = await storedGroups(tx);
      const group = groups.find(({ id }) => id === groupId);
      if (!group) throw new DefaultChannelGroupUnknown(groupId);
      await work(tx, actor, group, groups);
    });
  }

  /** The channels with these names, without duplicates. @throws InvalidChannelName */
  private channelsFor(actor: Actor, names: readonly string[]): ChannelRecord[] {
    return [...new Set(names.map((name) => this.access.forContentByName(actor, name)))];
  }

  private async put(tx: Transaction, groupId: number, channels: readonly ChannelRecord[]): Promise<void> {
    if (channels.length === 0) return;
    const rows = idsOf(channels).map((channelId) => ({ groupId, channelId }));
    await tx.repository(DefaultChannelGroupChannel).insert(rows);
  }

  /** Records the change of a group in the audit log, and emits the groups. */
  private async told(
    tx: Transaction,
    actor: Actor,
    { id }: StoredGroup,
    details: AuditDetails,
  ): Promise<void> {
    this.audit.record(tx, actor, 'default_channel_group.changed', { id }, details);
    await this.state.emit(tx);
  }
}

/** @throws ChannelIsDefault, ChannelIsPrivate */
function requireFit(channel: ChannelRecord, group: string): void {
  if (channel.isDefault) throw new ChannelIsDefault(channel.name, group);
  if (channel.isPrivate) throw new ChannelIsPrivate(channel.name, group);
}

/** @throws DefaultChannelGroupExists */
function requireFree(name: string, groups: readonly StoredGroup[]): void {
  if (groups.some((group) => group.name === name)) throw new DefaultChannelGroupExists(name);
}

function idsOf(channels: readonly ChannelRecord[]): number[] {
  return channels.map(({ id }) => id);
}
