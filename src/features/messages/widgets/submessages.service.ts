import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AutomaticTopicPolicyService } from '../sending/automatic-topic-policy.service';
import { MessageAccess } from '../readers/message.access';
import { MessageAudienceService } from '../readers/message-audience.service';
import { MessageRowsService } from '../store/message-rows.service';
import { newMessageFields } from '../store/messages.hooks';
import { UserAccess } from '../../users/users.module';
import { SubmessageRowsService } from './submessage-rows.service';
import { checkWidgetData, parseWidgetContent } from './widget-checks';
import { widgetIn } from './widget-text';
import { BadSubmessageJson, CannotAttach, submessageAdded } from './widgets.api';

/** A new submessage. */
interface NewSubmessage {
  readonly msgType: string;
  /** JSON. */
  readonly content: string;
}

/** Makes messages widgets, and lets people take part in them. */
@Injectable()
export class SubmessagesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly messages: MessageAccess,
    private readonly messageRows: MessageRowsService,
    private readonly audiences: MessageAudienceService,
    private readonly topicPolicies: AutomaticTopicPolicyService,
    private readonly rows: SubmessageRowsService,
    hooks: Hooks,
  ) {
    hooks.on(newMessageFields, async (tx, { messageId, senderId, content, widgetContent }) => {
      const widget = widgetContent === undefined ? widgetIn(content) : parseWidgetContent(widgetContent);
      if (!widget) return {};
      const submessage = { messageId, senderId, msgType: 'widget', content: JSON.stringify(widget) };
      return { submessages: [await rows.add(tx, submessage)] };
    });
  }

  /**
   * Any reader of the message may take part; only the sender may start a widget.
   * @throws InvalidMessage, CannotAttach, BadSubmessageJson, BadWidgetData, TooManySubmessages,
   *   TooManyOwnSubmessages
   */
  async add(actor: Actor, messageId: number, { msgType, content }: NewSubmessage): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.messageRows.lock(tx, messageId);
      const current = this.users.current(actor);
      const { message } = await this.messages.forChanging(tx, current, messageId);
      const isAuthor = message.senderId === actor.userId;
      const widget = await this.rows.widgetOf(tx, messageId, message.senderId);
      if (!isAuthor && !widget.isBegun) throw new CannotAttach();
      const data = parsed(content);
      if (widget.type !== null) checkWidgetData(widget.type, data, isAuthor);
      const submessage = { messageId, senderId: actor.userId, msgType, content };
      const { id: submessage_id, ...rest } = await this.rows.add(tx, submessage);
      const { channelId, topicName } = message;
      if (channelId !== null) {
        await this.topicPolicies.afterReacting(tx, current, { channelId, topic: topicName ?? '' });
      }
      tx.emit(submessageAdded({ ...rest, submessage_id }), await this.audiences.of(tx, message));
    });
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw new BadSubmessageJson();
  }
}
