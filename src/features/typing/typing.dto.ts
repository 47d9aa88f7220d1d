import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { MissingTypingTopic, MissingTypingTarget, NoRecipients } from './typing.errors';
import type { TypingOperation } from './typing.events';
import type { TypingTarget } from './typing.service';

/** The most recipients of a direct message. */
const MAX_RECIPIENTS = 1_000;

const operation = oneOf<TypingOperation>(['start', 'stop']);

/** Parameters of `POST /typing`. */
export class TypingDto {
  /** Whether it is in a direct conversation or in a channel. */
  @Parameter(oneOf(['direct', 'stream', 'channel']), { default: 'direct' })
  type!: 'direct' | 'stream' | 'channel';
  /** Whether the caller begins to type or has stopped. */
  @Parameter(operation) op!: TypingOperation;
  /** IDs of the people in the conversation. */
  @Parameter(json.array(json.integer(), { maxItems: MAX_RECIPIENTS }), { optional: true, example: [8, 9] })
  to?: number[];
  /** ID of the channel. */
  @Parameter(json.integer(), { optional: true }) stream_id?: number;
  /** Name of the topic. */
  @Parameter(text(), { optional: true }) topic?: string;
}

/** Parameters of `POST /messages/{message_id}/typing`. */
export class EditTypingDto {
  /** ID of the message that is being edited. */
  @PathParameter() message_id!: number;
  /** Whether the caller begins to type or has stopped. */
  @Parameter(operation) op!: TypingOperation;
}

/** @throws MissingTypingTarget, NoRecipients, MissingTypingTopic */
export function toTypingTarget({ type, to, stream_id: channelId, topic }: TypingDto): TypingTarget {
  if (type === 'direct') {
    if (to === undefined) throw new MissingTypingTarget('to');
    if (to.length === 0) throw new NoRecipients();
    return { userIds: to };
  }
  if (channelId === undefined) throw new MissingTypingTarget('stream_id');
  if (topic === undefined) throw new MissingTypingTopic();
  return { channelId, topic };
}
