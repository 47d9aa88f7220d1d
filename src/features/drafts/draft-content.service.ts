import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { ChannelAccess } from '../channels/channels.module';
import { DirectMessageAccess, MessageTextService } from '../messages/messages.module';
import type { Draft } from './draft.entity';
import { NegativeTimestamp, NotOneChannel, NullInTopic, type SentDraft } from './drafts.api';

/** What a draft says, and where it goes. */
export type DraftContent = Omit<Draft, 'id' | 'userId'>;

/** Validates drafts. A draft need not be sendable: the author may lack the permission to post. */
@Injectable()
export class DraftContentService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly channels: ChannelAccess,
    private readonly people: DirectMessageAccess,
    private readonly texts: MessageTextService,
  ) {}

  /**
   * @throws NegativeTimestamp, NullInTopic, NotOneChannel, InvalidChannelId, and what is refused of contents and of
   *   recipients
   */
  async checked(actor: Actor, sent: SentDraft): Promise<DraftContent> {
    const content = this.texts.content(sent.content);
    const { timestamp } = sent;
    if (timestamp != null && timestamp < 0) throw new NegativeTimestamp();
    const editedAt = timestamp == null ? this.clock.nowMs() : Math.round(timestamp * 1000);
    const nowhere = { channelId: null, recipientIds: '[]', topic: '', content, editedAt };
    if (sent.type === 'stream') return { ...nowhere, ...this.place(actor, sent) };
    if (sent.type === '' || sent.to.length === 0) return nowhere;
    return { ...nowhere, recipientIds: JSON.stringify(await this.recipients(actor, sent.to)) };
  }

  private place(actor: Actor, { to, topic }: SentDraft): Pick<Draft, 'channelId' | 'topic'> {
    if (topic.includes('\0')) throw new NullInTopic();
    const [channelId] = to;
    if (channelId === undefined || to.length > 1) throw new NotOneChannel();
    this.channels.forContent(actor, channelId);
    return { channelId, topic: this.texts.cutTopic(topic) };
  }

  private async recipients(actor: Actor, to: readonly number[]): Promise<number[]> {
    const recipients = this.people.recipients(actor, { userIds: [...new Set(to)] });
    await this.people.checkReachable(this.database.read, actor, recipients);
    const others = recipients.map(({ id }) => id).filter((id) => id !== actor.userId);
    return others.length > 0 ? others : [actor.userId];
  }
}
