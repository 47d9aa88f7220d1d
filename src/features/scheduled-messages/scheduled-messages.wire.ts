import type { ScheduledMessage } from './scheduled-message.entity';

/** A scheduled message as its sender sees it. */
export interface ScheduledMessageWire {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  /** The channel, or the people except for the sender. */
  readonly to: number | readonly number[];
  /** Of a channel message only. */
  readonly topic?: string;
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

/** The record of a scheduled message. */
export function scheduledMessageWire(message: ScheduledMessage): ScheduledMessageWire {
  const { channelId, topic } = message;
  return {
    scheduled_message_id: message.id,
    ...(channelId === null
      ? { type: 'private', to: JSON.parse(message.recipientIds) as number[] }
      : { type: 'stream', to: channelId, topic }),
    content: message.content,
    rendered_content: message.renderedContent,
    scheduled_delivery_timestamp: message.deliverAt,
    failed: message.hasFailed,
  };
}
