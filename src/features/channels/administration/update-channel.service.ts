import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { ApplyChannelChangeService } from './apply-channel-change.service';
import { ChannelAccess } from '../access/channel.access';
import { ChannelChangeAccess } from './channel-change.access';
import type { ChannelChanges } from './channel-changes';
import { ChannelPermissionChangeAccess } from './channel-permission-change.access';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { DescriptionRenderer } from '../store/description-renderer.service';
import { ActorTransactions } from '../../users';

/** Changes channels, archived ones included. */
@Injectable()
export class UpdateChannelService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly access: ChannelAccess,
    private readonly properties: ChannelChangeAccess,
    private readonly permissions: ChannelPermissionChangeAccess,
    private readonly settings: ChannelSettingsService,
    private readonly renderer: DescriptionRenderer,
    private readonly changes: ApplyChannelChangeService,
  ) {}

  /**
   * Checks everything first, then makes all changes or, on any error, none. Values equal to the current
   * ones change nothing and emit nothing.
   * @throws InvalidChannelId, MayNotAdministerChannel, and what the checks of the single changes throw
   */
  async update(caller: Actor, channelId: number, changes: ChannelChanges): Promise<void> {
    const described = this.described(changes);
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      const channel = this.access.forAdministration(actor, channelId, { archived: true });
      const after = { ...(await this.properties.check(tx, actor, channel, changes)), ...described };
      const values = this.permissions.check(actor, channel, after, changes.groupSettings);
      const settings = this.settings.valuesOf(channel);
      const groups = await this.settings.replace(tx, channel, values);
      await this.changes.apply(
        tx,
        actor,
        { channel, settings },
        { channel: { ...after, ...groups }, settings: { ...settings, ...values } },
      );
    });
  }

  /** Rendering would keep others waiting inside the transaction. Descriptions are one line. */
  private described(
    changes: ChannelChanges,
  ): { description: string; renderedDescription: string } | undefined {
    if (changes.description === undefined) return undefined;
    const description = changes.description.replaceAll('\n', ' ');
    return { description, renderedDescription: this.renderer.render(description) };
  }
}
