import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  ORGANIZATION_CHANNEL_SETTINGS,
  OrganizationDirectory,
  organizationSettingsChanged,
  wireNameOf,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { InvalidChannelId } from '../store/channel-errors.api';
import { channelChanged } from '../channels.hooks';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { Channel } from '../store/channel.entity';
import { lockChannels } from '../store/channel-locks';
import { ChannelAlreadyArchived, PrivateChannelCannotBeDefault } from './administration.api';
import { ChannelEventsService } from './channel-events.service';
import { ChannelAccess } from '../access/channel.access';
import { ChannelChangeAccess } from './channel-change.access';
import type { ChannelChanges } from './channel-changes';
import { ChannelPermissionChangeAccess } from './channel-permission-change.access';
import { ChannelSettingsService, type ChannelState } from '../store/channel-settings.service';
import { DescriptionRenderer } from '../store/description-renderer.service';

/** Value of an organization setting that names no channel. */
const NO_CHANNEL = -1;

/** Changes channels, archives them, and says which of them newcomers are subscribed to. */
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
   * Checks everything first, then makes all changes or, on any error, none. Values equal to the current
   * ones change nothing and emit nothing.
   * @throws InvalidChannelId, MayNotAdministerChannel, and what the checks of the single changes throw
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
   * Messages, subscriptions and the name stay; nothing can be sent, not even by mail, until {@link update} brings the
   * channel back.
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

  /** Settings of the organization that name the channel name none from now on. */
  private async forgetInOrganization(tx: Transaction, channelId: number): Promise<void> {
    const naming = ORGANIZATION_CHANNEL_SETTINGS.filter(
      (setting) => this.organization.settings[setting] === channelId,
    );
    if (naming.length === 0) return;
    for (const setting of naming) await this.organization.store(tx, setting, NO_CHANNEL);
    const data = Object.fromEntries(naming.map((setting) => [wireNameOf(setting), NO_CHANNEL]));
    tx.emit(organizationSettingsChanged({ property: 'default', data }), this.accounts.active);
  }

  /** Subscribes newcomers to the channel from now on; repeating is no error. @throws InvalidChannelId, PrivateChannelCannotBeDefault */
  async addDefault(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.access.forContent(actor, channelId);
      if (channel.isPrivate) throw new PrivateChannelCannotBeDefault();
      await this.mark(tx, actor, channel, true);
    });
  }

  /** Clients get the list also where the channel was not on it. @throws InvalidChannelId */
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

  /** Writes a checked change, tells of it and runs the hook. Two equal states do nothing. */
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

  /** Rendering would keep others waiting inside the transaction. Descriptions are one line. */
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
