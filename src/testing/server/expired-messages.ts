import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Hooks } from '../../platform/hooks/hooks';
import { ChannelDirectory } from '../../features/channels/channels.module';
import { loadMessages, messagesDeleted } from '../../features/messages/messages.module';
import { OrganizationDirectory } from '../../features/organization-settings/organization-settings.module';

const SECONDS_A_DAY = 86_400;

/** Which messages went when they were as old as messages become: by retention, as far as anybody can tell. */
export class ExpiredMessages {
  private readonly ids = new Set<number>();

  constructor(app: INestApplicationContext) {
    const clock = app.get(Clock, { strict: false });
    const channels = app.get(ChannelDirectory, { strict: false });
    const organization = app.get(OrganizationDirectory, { strict: false });
    const daysOf = (channelId: number | null) =>
      (channelId === null ? null : channels.byId(channelId)?.messageRetentionDays) ??
      organization.settings.message_retention_days;
    app.get(Hooks, { strict: false }).on(messagesDeleted, async (tx, messageIds) => {
      for (const { id, channelId, sentAt } of await loadMessages(tx, messageIds)) {
        const days = daysOf(channelId);
        const isDue = days !== null && days >= 0 && sentAt < clock.nowSeconds() - days * SECONDS_A_DAY;
        // After a reset, numbers begin again.
        if (isDue) this.ids.add(id);
        else this.ids.delete(id);
      }
    });
  }

  has(messageId: number): boolean {
    return this.ids.has(messageId);
  }
}
