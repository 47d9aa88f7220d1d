import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { type PackedColumns, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import { ChannelAccess } from '../access/channel.access';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { topicMessagesPort, type TopicWire } from './topics.hooks';

const LISTED: PackedColumns<TopicWire> = { name: 'name', max_id: 'max_message_id' };

/** Lists the topics of channels. */
@Injectable()
export class TopicListService {
  constructor(
    private readonly database: Database,
    private readonly access: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly hooks: Hooks,
  ) {}

  /**
   * The topics that the reader may see, the one with the newest message first. Archived channels are listed too.
   * @param allowEmptyName whether the empty topic is shown as it is instead of under its display name
   * @throws InvalidChannelId
   */
  async list(reader: Reader, channelId: number, allowEmptyName: boolean): Promise<TopicWire[]> {
    const channel = this.access.forContent(reader, channelId, { archived: true });
    const db = this.database.read;
    const rows = channel.isHistoryPublicToSubscribers
      ? await this.allTopics(db, channelId)
      : ((await this.hooks.provider(topicMessagesPort)?.receivedTopics(db, channelId, reader.userId)) ?? []);
    const shownName = allowEmptyName ? '' : this.organization.settings.empty_topic_display_name;
    return rows.map(({ name, max_id }) => ({ name: name === '' ? shownName : name, max_id }));
  }

  private async allTopics(db: Queryable, channelId: number): Promise<TopicWire[]> {
    const rest = 'FROM topic WHERE channel_id = ? AND message_count > 0';
    const rows = await packedRows(db, LISTED, rest, [channelId]);
    return rows.sort((one, other) => other.max_id - one.max_id);
  }
}
