import { changesTopic, type PlannedMove, PROPAGATE_MODES, type PropagateMode } from './rights/planned-edit';
import { refusal } from '../../platform/errors/api-error';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import type { MovedMessages, ReadableMessage, ReplacingContent } from '../messages/messages.module';

/** A completed move. */
export interface DoneMove extends MovedMessages {
  /** Whether nothing stayed behind in the topic. */
  readonly isWhole: boolean;
  /** Whether nothing stayed behind that the mover can see, who must not learn whether there is more. */
  readonly isWholeToMover: boolean;
  /** Whether the mover could see messages in the target topic. */
  readonly joinsOthersToMover: boolean;
  /** Whether the target topic had messages before. */
  readonly intoExisting: boolean;
}

/** Parameters of `PATCH /messages/{message_id}`. */
export class UpdateMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;

  /** New content of the message, in Markdown. */
  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  /** Topic to move messages to. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** ID of the channel to move messages to. */
  @Parameter(json.integer(), { optional: true })
  stream_id?: number;

  /** Which messages of the topic move: this one, this and later ones, or all. */
  @Parameter(oneOf(PROPAGATE_MODES), { default: 'change_one' })
  propagate_mode!: PropagateMode;

  /** Whether to post a notice in the old topic. */
  @Parameter(json.boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  /** Whether to post a notice in the new topic. */
  @Parameter(json.boolean(), { default: true })
  send_notification_to_new_thread!: boolean;

  /** SHA-256 in hex of the content that was edited; the edit is refused if the content has changed since. */
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
  /** Whether the client supports the empty topic name; otherwise a placeholder replaces it. */
  @Parameter(json.boolean(), { default: false }) allow_empty_topic_name!: boolean;
}

/** Parameters of `POST /streams/{stream_id}/delete_topic`. */
export class DeleteTopicDto {
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
  /** Name of the topic. */
  @Parameter(text()) topic_name!: string;
}

/** Maximum number of deleted messages in one event. */
export const MAX_MESSAGES_GONE = 500;

/** Messages were deleted, or are no longer visible. */
const messagesGone = defineEvent<
  | { message_ids: readonly number[]; message_type: 'private' }
  | { message_ids: readonly number[]; message_type: 'stream'; stream_id: number; topic: string }
>('delete_message');

/** Messages of one topic were deleted, or are no longer visible to the recipient. */
export function channelMessagesGone(
  messageIds: readonly number[],
  place: { readonly channelId: number; readonly topic: string },
): ServerEvent {
  const { channelId, topic } = place;
  return messagesGone({ message_ids: messageIds, message_type: 'stream', stream_id: channelId, topic });
}

/** Messages of one conversation were deleted. */
export function directMessagesGone(messageIds: readonly number[]): ServerEvent {
  return messagesGone({ message_ids: messageIds, message_type: 'private' });
}

interface UpdatePayload {
  /** Null if the message was only rendered again, without an edit. */
  readonly user_id: number | null;
  readonly edit_timestamp: number;
  readonly message_id: number;
  readonly message_ids: readonly number[];
  /** The recipient's own flags on the given message. */
  readonly flags: readonly string[];
  readonly rendering_only: boolean;
  /** The previous channel of a channel message. */
  readonly stream_id?: number;
  readonly stream_name?: string;
  /** Set if the content changed. */
  readonly content?: string;
  readonly rendered_content?: string;
  readonly orig_content?: string;
  readonly orig_rendered_content?: string;
  readonly is_me_message?: boolean;
  /** Set if messages moved. */
  readonly propagate_mode?: PropagateMode;
  readonly orig_subject?: string;
  readonly subject?: string;
  readonly topic_links?: readonly { text: string; url: string }[];
  readonly new_stream_id?: number;
}

/** A message was edited or rendered again, or messages were moved. */
const updated = defineEvent<UpdatePayload>('update_message');

/** The details for {@link messageUpdated}. */
interface UpdatedMessage {
  readonly userId: number;
  readonly editedAt: number;
  /** As it was before the change. */
  readonly message: ReadableMessage['message'];
  /** The name of its previous channel; null for a direct message. */
  readonly channelName: string | null;
  readonly content: Pick<ReplacingContent, 'content' | 'rendered'> | null;
  /** If false, the current content replaces the previous one, which clients need in order to recognize an edit. */
  readonly showsFormerContent: boolean;
  readonly moved: { readonly plan: PlannedMove; readonly done: DoneMove } | null;
}

/** A message was edited or moved, possibly with others of its topic. */
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

/** A message's placeholder was replaced by its image. */
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

/** Reasons for reporting a message, with their keys and names. */
export const REPORT_TYPES = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const;

type ReportType = (typeof REPORT_TYPES)[number];

/** The key of a reason. */
export type ReportTypeKey = ReportType['key'];

/** The name of a reason. */
export function reportTypeName(wanted: ReportTypeKey): string {
  return REPORT_TYPES.find(({ key }) => key === wanted)!.name;
}

/** Maximum length of the explanation, in Unicode code points. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

const TYPES = REPORT_TYPES.map(({ key }) => key);
const UNKNOWN_TYPE = 'Invalid report_type: Value error, Not in the list of possible values';

/** Parameters of `POST /messages/{message_id}/report`. */
export class ReportMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Reason: a `key` of `server_report_message_types`. */
  @Parameter(oneOf(TYPES, { refusal: UNKNOWN_TYPE })) report_type!: ReportTypeKey;
  /** Explanation for the moderators; required for `other`. */
  @Parameter(text({ maxLength: MAX_DESCRIPTION_LENGTH }), { default: '' }) description!: string;
}

/** The type alone does not say what is wrong with the message. */
export class ExplanationRequired extends refusal('An explanation is required.') {}

/** The organization has no channel to which reports go. */
export class ReportsNotEnabled extends refusal('Message reporting is not enabled in this organization.') {}
