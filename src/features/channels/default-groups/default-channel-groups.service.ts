import {
  MAX_CHANNELS,
  ChannelAlreadyInGroup,
  ChannelIsDefault,
  ChannelIsPrivate,
  ChannelNotInGroup,
  DefaultChannelGroupExists,
  DefaultChannelGroupNameUnchanged,
  DefaultChannelGroupUnknown,
  DefaultChannelGroupChangeMissing,
  TooManyChannelsInGroup,
  TooManyDefaultChannelGroups,
} from './default-channel-groups.api';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type AuditDetails, AuditLog, differences } from '../../audit/audit.module';
import { ChannelAccess } from '../access/channel.access';
import { type ChannelRecord } from '../store/channel.directory';
import { ActorTransactions } from '../../users/users.module';
import { checkGroupName } from './default-channel-group-name';
import { type StoredGroup, storedGroups } from './default-channel-group-rows';
import { DefaultChannelGroup, DefaultChannelGroupChannel } from './default-channel-group.entity';
import { DefaultChannelGroupsStateService } from './default-channel-groups-state.service';

/** All groups are sent when people register. */
const MAX_GROUPS = 100;

/** What a new group is. */
export interface NewDefaultChannelGroup {
  readonly name: string;
  readonly description: string;
  readonly channelNames: readonly string[];
}

/** Makes and changes the groups of channels that newcomers may choose. Administrators do. */
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
   * @param changes where a name is empty, it stays as it is
   * @throws DefaultChannelGroupChangeMissing, DefaultChannelGroupUnknown, DefaultChannelGroupNameUnchanged, DefaultChannelGroupExists,
   *   errors of the name
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
   * Runs the work on a group and the list of groups, which nothing else changes at the same time.
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

  /** The channels with these names, each once. @throws InvalidChannelName */
  private channelsFor(actor: Actor, names: readonly string[]): ChannelRecord[] {
    return [...new Set(names.map((name) => this.access.forContentByName(actor, name)))];
  }

  private async put(tx: Transaction, groupId: number, channels: readonly ChannelRecord[]): Promise<void> {
    if (channels.length === 0) return;
    const rows = idsOf(channels).map((channelId) => ({ groupId, channelId }));
    await tx.repository(DefaultChannelGroupChannel).insert(rows);
  }

  /** Writes down that a group changed, and tells clients. */
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
