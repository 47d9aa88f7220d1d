import { changesTopic, type PlannedMove, PROPAGATE_MODES, type PropagateMode } from './rights/planned-edit';
import { refusal } from '../../platform/errors/api-error';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import type { MovedMessages, ReadableMessage, ReplacingContent } from '../messages/messages.module';

/** A move that was made. */
export interface DoneMove extends MovedMessages {
  /** Whether nothing stayed behind in the topic. */
  readonly isWhole: boolean;
  /** Whether nothing stayed behind that the mover can see, who may not learn whether there is more. */
  readonly isWholeToMover: boolean;
  /** Whether the mover could see messages in the topic into which they went. */
  readonly joinsOthersToMover: boolean;
  /** Whether the topic into which they went had messages before. */
  readonly intoExisting: boolean;
}

/** Parameters of `PATCH /messages/{message_id}`. */
export class UpdateMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;

  /** What the message says from now on, in Markdown. */
  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  /** Topic that messages move to. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** ID of the channel that messages move to. */
  @Parameter(json.integer(), { optional: true })
  stream_id?: number;

  /** Which messages of the topic move: this one, it and later ones, or all. */
  @Parameter(oneOf(PROPAGATE_MODES), { default: 'change_one' })
  propagate_mode!: PropagateMode;

  /** Whether a notice stays where messages were. */
  @Parameter(json.boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  /** Whether a notice goes where messages are. */
  @Parameter(json.boolean(), { default: true })
  send_notification_to_new_thread!: boolean;

  /** SHA-256 in hex of the content that was edited; refused where it is no longer that. */
  @Parameter(text(), { optional: true, checked: { pattern: '^[0-9A-Fa-f]{64}$' } })
  prev_content_sha256?: string;
}

/** Parameters of `DELETE /messages/{message_id}`. */
export class DeleteMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
}

/** Parameters of `GET /messages/{message_id}/history`. */
export class MessageHistoryDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Whether the client knows the empty topic; otherwise it gets a name in its place. */
  @Parameter(json.boolean(), { default: false }) allow_empty_topic_name!: boolean;
}

/** Parameters of `POST /streams/{stream_id}/delete_topic`. */
export class DeleteTopicDto {
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
  /** Name of the topic. */
  @Parameter(text()) topic_name!: string;
}

/** Most messages that one event names as gone. */
export const MAX_MESSAGES_GONE = 500;

/** Messages were deleted, or went out of sight. */
const messagesGone = defineEvent<
  | { message_ids: readonly number[]; message_type: 'private' }
  | { message_ids: readonly number[]; message_type: 'stream'; stream_id: number; topic: string }
>('delete_message');

/** Messages of one topic are gone, or out of the receiver's reach. */
export function channelMessagesGone(
  messageIds: readonly number[],
  place: { readonly channelId: number; readonly topic: string },
): ServerEvent {
  const { channelId, topic } = place;
  return messagesGone({ message_ids: messageIds, message_type: 'stream', stream_id: channelId, topic });
}

/** Messages of one conversation are gone. */
export function directMessagesGone(messageIds: readonly number[]): ServerEvent {
  return messagesGone({ message_ids: messageIds, message_type: 'private' });
}

interface UpdatePayload {
  /** Null if the message was only rendered again, without an edit. */
  readonly user_id: number | null;
  readonly edit_timestamp: number;
  readonly message_id: number;
  readonly message_ids: readonly number[];
  /** The receiver's own, of the message that is named. */
  readonly flags: readonly string[];
  readonly rendering_only: boolean;
  /** Of a channel message: the channel that it was in. */
  readonly stream_id?: number;
  readonly stream_name?: string;
  /** Where the content changed. */
  readonly content?: string;
  readonly rendered_content?: string;
  readonly orig_content?: string;
  readonly orig_rendered_content?: string;
  readonly is_me_message?: boolean;
  /** Where messages moved. */
  readonly propagate_mode?: PropagateMode;
  readonly orig_subject?: string;
  readonly subject?: string;
  readonly topic_links?: readonly { text: string; url: string }[];
  readonly new_stream_id?: number;
}

/** A message was edited, messages were moved, or one is shown differently now. */
const updated = defineEvent<UpdatePayload>('update_message');

/** What {@link messageUpdated} tells of. */
interface UpdatedMessage {
  readonly userId: number;
  readonly editedAt: number;
  /** As it was before. */
  readonly message: ReadableMessage['message'];
  /** The name of the channel that it was in; null for a direct message. */
  readonly channelName: string | null;
  readonly content: Pick<ReplacingContent, 'content' | 'rendered'> | null;
  /** Otherwise the present content takes the place of the former one, which clients need in order to see an edit. */
  readonly showsFormerContent: boolean;
  readonly moved: { readonly plan: PlannedMove; readonly done: DoneMove } | null;
}

/** A message has other content, or is elsewhere, perhaps with others of its topic. */
export function messageUpdated(
  { userId, editedAt, message, channelName, content, showsFormerContent, moved }: UpdatedMessage,
  topicLinks: (topic: string) => readonly { text: string; url: string }[],
): (flags: readonly string[]) => ServerEvent {
  const payload = {
    user_id: userId,
    edit_timestamp: editedAt,
    message_id: message.id,
    message_ids: moved?.done.messageIds ?? [message.id],
    rendering_only: false,
    ...(channelName === null ? {} : { stream_id: message.channelId ?? 0, stream_name: channelName }),
    ...(content && {
      content: content.content,
      rendered_content: content.rendered.html,
      orig_content: showsFormerContent ? message.content : content.content,
      orig_rendered_content: showsFormerContent ? message.renderedContent : content.rendered.html,
      is_me_message: content.rendered.isMeMessage,
    }),
    ...(moved && movedPart(moved.plan, moved.done, topicLinks)),
  } as const;
  return (flags) => updated({ ...payload, flags });
}

/** A message shows a picture now for which it waited. */
export function pictureShown(
  { id, content, renderedContent }: Pick<ReadableMessage['message'], 'id' | 'content' | 'renderedContent'>,
  shownAt: number,
): (flags: readonly string[]) => ServerEvent {
  return (flags) =>
    updated({
      user_id: null,
      edit_timestamp: shownAt,
      message_id: id,
      message_ids: [id],
      flags,
      rendering_only: true,
      content,
      rendered_content: renderedContent,
    });
}

function movedPart(
  plan: PlannedMove,
  { from, to }: DoneMove,
  topicLinks: (topic: string) => readonly { text: string; url: string }[],
): Partial<UpdatePayload> {
  return {
    propagate_mode: plan.mode,
    orig_subject: from.topic,
    ...(changesTopic(plan)
      ? { subject: to.topic, topic_links: to.topic === '' ? [] : topicLinks(to.topic) }
      : {}),
    ...(plan.namesChannel ? { new_stream_id: plan.to.id } : {}),
  };
}

/** What a message can be reported for: how clients name it to the server, and to people. */
export const REPORT_TYPES = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const;

type ReportType = (typeof REPORT_TYPES)[number];

/** What a message is reported for. */
export type ReportTypeKey = ReportType['key'];

/** The name of a type. */
export function reportTypeName(wanted: ReportTypeKey): string {
  return REPORT_TYPES.find(({ key }) => key === wanted)!.name;
}

/** The longest explanation, in Unicode code points. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

const TYPES = REPORT_TYPES.map(({ key }) => key);
const UNKNOWN_TYPE = 'Invalid report_type: Value error, Not in the list of possible values';

/** Parameters of `POST /messages/{message_id}/report`. */
export class ReportMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** What is wrong with the message: a `key` of `server_report_message_types`. */
  @Parameter(oneOf(TYPES, { refusal: UNKNOWN_TYPE })) report_type!: ReportTypeKey;
  /** What the moderators ought to know besides; for `other` it has to be there. */
  @Parameter(text({ maxLength: MAX_DESCRIPTION_LENGTH }), { default: '' }) description!: string;
}

/** The type alone does not say what is wrong with the message. */
export class ExplanationRequired extends refusal('An explanation is required.') {}

/** The organization has no channel to which reports go. */
export class ReportsNotEnabled extends refusal('Message reporting is not enabled in this organization.') {}
