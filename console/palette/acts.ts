import { batch } from '@preact/signals';
import { TOPIC_POLICY } from '../connection/records';
import { channels, nameOf, unread } from '../connection/state';
import { draftText, moveDraft } from '../conversations/draft';
import { isMine } from '../conversations/message-window';
import { keyOf } from '../conversations/narrow';
import { hrefOf, isFollowedPlace, isMutedTopic, placeIn, placeOf } from '../conversations/places';
import { react } from '../conversations/reactions';
import { markUnread, setFlag } from '../conversations/reading';
import { asked, filtered, forwarded, reply, toInsert, wantsToWrite } from '../conversations/replying';
import { shownMessage } from '../conversations/views';
import { policyOf, setTopicPolicy } from '../conversations/visibility';
import { topicFieldOf } from '../drafts/places';
import { attempt } from '../parts/task';
import { navigate, path } from '../router';
import { opened } from './commands';
import { focused, focusedLink, placeAtHand } from './steps';

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const;

/** The message that has the focus. */
const focusedMessage = () => shownMessage(Number(focused()?.dataset['id']));

/** Leads to a page. */
export function go(to: string): boolean {
  navigate(to);
  return true;
}

/** Leads to the conversation whose unread message has waited longest, of those that are not open. */
export function goToUnread(kind: 'topic' | 'followed' | 'direct'): boolean {
  for (const place of unread.value.values()) {
    const isDirect = 'userIds' in place;
    const isOther = isDirect !== (kind === 'direct') || decodeURI(hrefOf(place)) === decodeURI(path.value);
    if (isOther || (!isDirect && isMutedTopic(place.channelId, place.topic))) continue;
    if (kind === 'followed' && !isFollowedPlace(place)) continue;
    return go(hrefOf(place));
  }
  return false;
}

/** Writes where the focus is. */
export function write(): boolean {
  const goal = focusedLink();
  const isHere = document.querySelector('.composer textarea') !== null;
  // Where messages of many conversations are, the one that has the focus says which.
  if (!isHere && goal) navigate(goal.pathname);
  wantsToWrite.value = isHere || goal !== null;
  return wantsToWrite.value;
}

/** Begins a topic in the channel at hand. */
export function startTopic(): boolean {
  const place = placeAtHand();
  if (!place || !('channelId' in place)) {
    // First, one chooses where.
    opened.value = 'palette';
    return true;
  }
  batch(() => {
    navigate(hrefOf({ channelId: place.channelId }));
    wantsToWrite.value = true;
  });
  return true;
}

/** Writes to the sender of the message that has the focus alone. */
export function replyDirectly(): boolean {
  const message = focusedMessage();
  if (message) reply({ userIds: isMine(message) ? [] : [message.sender_id] });
  return message !== undefined;
}

/** Mentions the sender of the message that has the focus, where one writes. */
export function mentionSender(): boolean {
  const message = focusedMessage();
  if (!message) return false;
  const { sender_id: id } = message;
  toInsert.value = `@**${nameOf(id)}|${id}** `;
  return write();
}

/** Forwards the message that has the focus. */
export function forward(): boolean {
  forwarded.value = Number(focused()?.dataset['id']) || null;
  return forwarded.value !== null;
}

/** Opens a window for the message that has the focus. */
export function openFor(stage: 'move' | 'history' | 'receipts'): boolean {
  const message = focusedMessage();
  if (message) asked.value = { message, stage };
  return message !== undefined;
}

/** Does something with the message that has the focus. */
function withMessage(work: (message: NonNullable<ReturnType<typeof focusedMessage>>) => void): boolean {
  const message = focusedMessage();
  if (message) work(message);
  return message !== undefined;
}

export const thumbsUp = () => withMessage((message) => react(message, THUMBS_UP));
export const collapse = () => withMessage((message) => attempt(setFlag(message, 'collapsed')));
export const unreadFromHere = () => withMessage((message) => attempt(markUnread(message)));
export const showContext = () => withMessage((message) => navigate(hrefOf(placeOf(message), message.id)));

/** From a topic to its channel, and from anywhere else to the conversation of the message that has the focus. */
export function toggleTopic(): boolean {
  const message = focusedMessage();
  const open = placeAtHand();
  const isOpen = open !== null && 'topic' in open && decodeURI(path.value) === decodeURI(hrefOf(open));
  if (isOpen) return go(hrefOf({ channelId: open.channelId }, message?.id));
  return message !== undefined && go(hrefOf(placeOf(message), message.id));
}

/** Mutes the topic at hand, or ends that. */
export function muteTopic(): boolean {
  const place = placeAtHand();
  if (!place || !('topic' in place)) return false;
  const { channelId, topic } = place;
  const { muted, none } = TOPIC_POLICY;
  attempt(setTopicPolicy(channelId, topic, policyOf(channelId, topic) === muted ? none : muted));
  return true;
}

/** Asks whether to join the channel at hand, or to leave it. */
export function askToSubscribe(): boolean {
  const place = placeAtHand();
  if (!place || !('channelId' in place) || !channels.value.has(place.channelId)) return false;
  asked.value = { channelId: place.channelId };
  return true;
}

/** Leads to the conversation that is being written to, and writes on. */
export function goToWritten(): boolean {
  const place = placeIn(path.value);
  if (!place || !document.querySelector('.composer textarea')) return false;
  const key = keyOf(place);
  const topic = 'channelId' in place && !('topic' in place) ? draftText(topicFieldOf(key)).trim() : '';
  if (topic !== '' && 'channelId' in place) {
    const there = { channelId: place.channelId, topic };
    moveDraft(key, keyOf(there));
    reply(there);
  } else wantsToWrite.value = true;
  return true;
}

/** Looks for a channel or a person by a part of its name. */
export function filter(what: 'channels' | 'people'): boolean {
  filtered.value = what;
  return true;
}
