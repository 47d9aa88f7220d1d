import { htmlDifference } from './html-difference';
import { visibleEdits, type StoredEdit, type Visibility } from './edit-history.service';

/** An edit in a message record, with only the changed parts. */
export interface EditWire {
  readonly user_id: number;
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** A message right after an edit, or as it was sent. */
export interface SnapshotWire extends EditWire {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly content_html_diff?: string;
}

/** The current state of a message. */
export interface CurrentMessage {
  readonly senderId: number;
  readonly sentAt: number;
  readonly topicName: string | null;
  readonly content: string;
  readonly renderedContent: string;
}

/** @param shownTopic returns the name of a topic as shown to readers */
export function editWire(edit: StoredEdit, shownTopic: (topic: string) => string): EditWire {
  const { userId, editedAt, prevContent, prevRenderedContent, prevTopic, topic, prevChannelId, channelId } =
    edit;
  return {
    user_id: userId,
    timestamp: editedAt,
    ...(prevContent === null ? {} : { prev_content: prevContent }),
    ...(prevRenderedContent === null ? {} : { prev_rendered_content: prevRenderedContent }),
    ...(prevTopic === null ? {} : { prev_topic: shownTopic(prevTopic) }),
    ...(topic === null ? {} : { topic: shownTopic(topic) }),
    ...(prevChannelId === null ? {} : { prev_stream: prevChannelId }),
    ...(channelId === null ? {} : { stream: channelId }),
  };
}

/** Which part of a history the reader sees. */
interface HistoryView {
  readonly shownTopic: (topic: string) => string;
  readonly visibility: Visibility;
  /** Whether snapshots contain the content of their time; otherwise all of them contain the current one. */
  readonly showsFormerContent: boolean;
}

/**
 * A message's history, oldest first: as it was sent, then after each visible edit. Invisible edits are applied as well,
 * so that each move shows the content of its time to readers who may see it.
 * @param edits newest first
 */
export function* historyWire(
  message: CurrentMessage,
  edits: readonly StoredEdit[],
  { shownTopic, visibility, showsFormerContent }: HistoryView,
): Generator<SnapshotWire> {
  const states = [
    { content: message.content, html: message.renderedContent, topic: message.topicName ?? '' },
  ];
  for (const edit of edits) {
    const after = states.at(-1)!;
    states.push({
      content: (showsFormerContent ? edit.prevContent : null) ?? after.content,
      html: (showsFormerContent ? edit.prevRenderedContent : null) ?? after.html,
      topic: edit.prevTopic ?? after.topic,
    });
  }
  const shown = ({ content, html, topic }: (typeof states)[number]) => ({
    content,
    rendered_content: html,
    topic: shownTopic(topic),
  });
  yield { ...shown(states.at(-1)!), timestamp: message.sentAt, user_id: message.senderId };
  for (let at = edits.length - 1; at >= 0; at--) {
    const [edit] = visibleEdits([edits[at]!], visibility);
    if (!edit) continue;
    const after = states[at]!;
    const difference =
      edit.prevRenderedContent === null
        ? {}
        : { content_html_diff: htmlDifference(edit.prevRenderedContent, after.html) };
    yield { ...editWire(edit, shownTopic), ...shown(after), ...difference };
  }
}
