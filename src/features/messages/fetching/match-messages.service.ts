import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { OrganizationDirectory } from '../../organization-settings';
import type { Requester as Reader } from '../../user-groups';
import { loadMessages } from '../store/message-rows.service';
import { MessageScanService } from '../scan/message-scan.service';
import { TooManyMessages } from '../store/messages.errors';
import { matchesWire, type MatchesWire } from './fetched-messages.wire';
import { NarrowService } from './narrow.service';
import { MAX_MESSAGES } from './anchor';

/** Tells which messages are in a narrow, for clients that cannot work it out themselves. */
@Injectable()
export class MatchMessagesService {
  constructor(
    private readonly database: Database,
    private readonly narrows: NarrowService,
    private readonly scan: MessageScanService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Those of the messages that fetching with the narrow would find.
   * @param narrow terms as they were sent
   * @throws BadRequest, BadNarrow
   */
  async match(
    reader: Reader,
    messageIds: readonly number[],
    narrow: readonly unknown[],
  ): Promise<Record<string, MatchesWire>> {
    if (messageIds.length > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
    const { db, selection, searched } = await this.narrows.open(reader, narrow);
    const ids = await this.scan.among(db, selection, messageIds);
    const messages = await loadMessages(this.database.read, ids);
    const matches = messages.map(({ id, renderedContent, topicName }) => {
      const shownTopic = topicName === '' ? this.organization.settings.empty_topic_display_name : topicName;
      return [id, matchesWire(renderedContent, shownTopic ?? '', searched)] as const;
    });
    return Object.fromEntries(matches);
  }
}
