import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  ChannelAlreadyArchived,
  ChannelAlreadyExists,
  type NewChannelRequest,
  PrivateChannelCannotBeDefault,
} from './administration.api';
import { ChannelChangeAccess, ChannelPermissionChangeAccess } from './channel-change.access';
import { ChannelEventsService } from './channel-events.service';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { type AuditAction, AuditLog, differences } from '../../audit/audit.module';
import {
  ORGANIZATION_CHANNEL_SETTINGS,
  OrganizationDirectory,
  organizationSettingsChanged,
  wireNameOf,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { SubscribeAccess } from '../access/participation.access';
import {
  channelChanged,
  type ChannelChanged,
  channelsCreated,
  type SubscriptionChange,
  usersSubscribed,
  usersUnsubscribed,
} from '../channels.hooks';
import { FindOrCreateChannelsService } from '../creation/find-or-create-channels.service';
import { InvalidChannelId } from '../store/channels.api';
import { ChannelDirectory, type ChannelRecord, lockChannels } from '../store/channel.directory';
import {
  type ChannelChanges,
  ChannelSettingsService,
  type ChannelState,
} from '../store/channel-settings.service';
import { Channel } from '../store/channel.entity';
import { DescriptionRenderer } from '../store/channel-records.service';
import { AddSubscribersService } from '../subscriptions/add-subscribers.service';

/** The value of an organization setting that names no channel. */
const NO_CHANNEL = -1;

/** Changes and archives channels, and manages the default channels of new users. */
@Injectable()
export class UpdateChannelService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly access: ChannelAccess,
    private readonly properties: ChannelChangeAccess,
    private readonly permissions: ChannelPermissionChangeAccess,
    private readonly settings: ChannelSettingsService,
    private readonly renderer: DescriptionRenderer,
    private readonly events: ChannelEventsService,
    private readonly hooks: Hooks,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * Checks all changes first, then makes all of them or, on any error, none. Values equal to the current ones change
   * nothing and emit nothing.
   * @throws InvalidChannelId, MayNotAdministerChannel, and the errors of the individual checks
   */
  async update(caller: Actor, channelId: number, changes: ChannelChanges): Promise<void> {
    const described = this.described(caller, changes);
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      const channel = this.access.forAdministration(actor, channelId, { archived: true });
      const after = { ...(await this.properties.check(tx, actor, channel, changes)), ...described };
      const values = this.permissions.check(actor, channel, after, changes.groupSettings);
      const settings = this.settings.valuesOf(channel);
      const groups = await this.settings.replace(tx, channel, values);
      await this.apply(
        tx,
        actor,
        { channel, settings },
        { channel: { ...after, ...groups }, settings: { ...settings, ...values } },
      );
    });
  }

  /**
   * Archives a channel. Messages, subscriptions and the name stay; nothing can be sent, not even by email, until {@link
   * update} unarchives the channel.
   * @param caller an administrator of the organization, who may archive every channel
   * @throws InvalidChannelId, ChannelAlreadyArchived
   */
  async archive(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.channels.byId(channelId);
      if (!channel) throw new InvalidChannelId();
      if (channel.isArchived) throw new ChannelAlreadyArchived();
      await this.forgetInOrganization(tx, channelId);
      const settings = this.settings.valuesOf(channel);
      const after = { ...channel, isArchived: true, isDefault: false };
      await this.apply(tx, actor, { channel, settings }, { channel: after, settings });
    });
  }

  /** Resets settings of the organization that name the channel. */
  private async forgetInOrganization(tx: Transaction, channelId: number): Promise<void> {
    const naming = ORGANIZATION_CHANNEL_SETTINGS.filter(
      (setting) => this.organization.settings[setting] === channelId,
    );
    if (naming.length === 0) return;
    for (const setting of naming) await this.organization.store(tx, setting, NO_CHANNEL);
    const data = Object.fromEntries(naming.map((setting) => [wireNameOf(setting), NO_CHANNEL]));
    tx.emit(organizationSettingsChanged({ property: 'default', data }), this.accounts.active);
  }

  /** Makes the channel a default channel; idempotent. @throws InvalidChannelId, PrivateChannelCannotBeDefault */
  async addDefault(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.access.forContent(actor, channelId);
      if (channel.isPrivate) throw new PrivateChannelCannotBeDefault();
      await this.mark(tx, actor, channel, true);
    });
  }

  /** Emits the list even if the channel was not on it. @throws InvalidChannelId */
  async removeDefault(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.access.forMetadata(actor, channelId);
      if (channel.isDefault) await this.mark(tx, actor, channel, false);
      else this.events.emitDefaults(tx, channel);
    });
  }

  private async mark(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRecord,
    isDefault: boolean,
  ): Promise<void> {
    const settings = this.settings.valuesOf(channel);
    const after = { channel: { ...channel, isDefault }, settings };
    await this.apply(tx, actor, { channel, settings }, after);
  }

  /** Writes a checked change, emits its events and runs the hook. Does nothing if the states are equal. */
  private async apply(
    tx: Transaction,
    actor: Actor,
    before: ChannelState,
    after: ChannelState,
  ): Promise<void> {
    if (isDeepStrictEqual(before, after)) return;
    const { id } = before.channel;
    const changed = difference(before.channel, after.channel);
    if (Object.keys(changed).length > 0) {
      await lockChannels(tx, [id], 'alone');
      await tx.repository(Channel).update({ id }, changed);
    }
    tx.touch('channels', [id]);
    await this.events.emitChanged(tx, before, after);
    await this.hooks.run(channelChanged, tx, { actor, before, after });
  }

  /** Renders before the transaction, which would keep others waiting. Descriptions are one line. */
  private described(
    author: Actor,
    changes: ChannelChanges,
  ): { description: string; renderedDescription: string } | undefined {
    if (changes.description === undefined) return undefined;
    const description = changes.description.replaceAll('\n', ' ');
    return { description, renderedDescription: this.renderer.render(description, author) };
  }
}

function difference(before: ChannelRecord, after: ChannelRecord): Partial<Channel> {
  return Object.fromEntries(
    Object.entries(after).filter(([property, value]) => before[property as keyof Channel] !== value),
  );
}

/** Creates one channel; unlike subscribing, it refuses existing names. */
@Injectable()
export class NewChannelService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly finder: FindOrCreateChannelsService,
    private readonly access: SubscribeAccess,
    private readonly subscribers: AddSubscribersService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * @returns the ID of the channel
   * @throws errors of names and creation, ChannelAlreadyExists, PrincipalUnknown, UserDeactivated
   */
  async create(caller: Actor, request: NewChannelRequest): Promise<number> {
    const { channel: wanted, options, subscriberIds, announce } = request;
    const rendered = this.finder.render(caller, [wanted]);
    return this.transactions.runExclusive(caller, async (tx, actor) => {
      const sought = { wanted: [wanted], options, rendered };
      const { existing, created } = await this.finder.findOrCreate(tx, actor, sought);
      const [taken] = existing;
      if (taken) throw new ChannelAlreadyExists(this.access.nameFor(actor, taken, [wanted.name]));
      const userIds =
        subscriberIds.length === 0
          ? []
          : this.access.peopleNamed(subscriberIds, actor.userId).map(({ id }) => id);
      const additions = created.map((made) => ({ ...made, userIds }));
      await this.subscribers.add(tx, additions);
      await this.hooks.run(channelsCreated, tx, { actor, created: additions, announce });
      return (additions[0] as (typeof additions)[0]).channel.id;
    });
  }
}

/**
 * Records changes to channels, and subscriptions and removals by others. Joining and leaving oneself is too frequent to
 * record and affects nobody else.
 */
@Injectable()
export class ChannelAuditService {
  constructor(
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(channelChanged, (tx, change) => this.changed(tx, change));
    hooks.on(channelsCreated, (tx, { actor, created }) =>
      this.moved(tx, actor, 'channel.subscriber_added', created),
    );
    hooks.on(usersSubscribed, (tx, { actor, subscriptions }) =>
      this.moved(tx, actor, 'channel.subscriber_added', subscriptions),
    );
    hooks.on(usersUnsubscribed, (tx, { actor, removals }) =>
      this.moved(tx, actor, 'channel.subscriber_removed', removals),
    );
  }

  private async changed(tx: Transaction, { actor, before, after }: ChannelChanged): Promise<void> {
    const { id } = after.channel;
    if (before.channel.isArchived !== after.channel.isArchived) {
      const action = after.channel.isArchived ? 'channel.archived' : 'channel.unarchived';
      this.audit.record(tx, actor, action, { id });
    }
    const changed = differences(audited(before), audited(after));
    if (changed) this.audit.record(tx, actor, 'channel.changed', { id }, changed);
  }

  private async moved(
    tx: Transaction,
    actor: Actor,
    action: AuditAction,
    changes: readonly SubscriptionChange[],
  ): Promise<void> {
    for (const { channel, userIds } of changes) {
      const others = userIds.filter((userId) => userId !== actor.userId);
      if (others.length > 0) this.audit.record(tx, actor, action, { id: channel.id, userId: others });
    }
  }
}

/** The properties of a channel whose changes are recorded. */
function audited({ channel, settings }: ChannelState) {
  return {
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_public: channel.isHistoryPublicToSubscribers,
    is_default: channel.isDefault,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    ...settings,
  };
}
