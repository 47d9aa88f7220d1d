import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { readState, writeState } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';
import { PROGRAM_VERSION } from '../../platform/version';
import { ChannelDirectory } from '../channels/channels.module';
import { SystemMessageService } from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';

const STATE_KEY = 'announced_version';

const TOPIC = 'Parley updates';

/** Announces that the server was updated, in the channel that the organization chose for it. */
@Injectable()
export class UpdateNoticeService {
  private readonly logger = new Logger(UpdateNoticeService.name);

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly messages: SystemMessageService,
  ) {}

  /**
   * Once per version, whichever node starts first. A new organization gets no notice of its first version. The server
   * works without the notice, so a failure is only logged.
   */
  async post(): Promise<void> {
    try {
      if ((await readState(this.database.read, STATE_KEY)) === PROGRAM_VERSION) return;
      await this.transactions.runExclusive(async (tx) => {
        const before = await readState(tx, STATE_KEY);
        if (before === PROGRAM_VERSION) return;
        await writeState(tx, STATE_KEY, PROGRAM_VERSION);
        const { channel } = this;
        if (before === null || !channel || this.organization.isDeactivated) return;
        const content = `This server now runs Parley ${PROGRAM_VERSION}; before, it was ${before}.`;
        await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: TOPIC }, { content });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  private get channel() {
    const channel = this.channels.byId(this.organization.settings.update_announcements_channel_id);
    return channel?.isArchived ? undefined : channel;
  }
}
