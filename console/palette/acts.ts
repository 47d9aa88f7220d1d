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

/** The focused message. */
const focusedMessage = () => shownMessage(Number(focused()?.dataset['id']));

/** Opens a page. */
export function go(to: string): boolean {
  navigate(to);
  return true;
}

/** Opens the conversation whose oldest unread message has waited longest, except the open one. */
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

/** Focuses the composer. */
export function write(): boolean {
  const goal = focusedLink();
  const isHere = document.querySelector('.composer textarea') !== null;
  // On pages with several conversations, opens the one of the focused message.
  if (!isHere && goal) navigate(goal.pathname);
  wantsToWrite.value = isHere || goal !== null;
  return wantsToWrite.value;
}

/** Starts a topic in the current channel. */
export function startTopic(): boolean {
  const place = placeAtHand();
  if (!place || !('channelId' in place)) {
    // The user must choose a channel first.
    opened.value = 'palette';
    return true;
  }
  batch(() => {
    navigate(hrefOf({ channelId: place.channelId }));
    wantsToWrite.value = true;
  });
  return true;
}

/** Opens a direct conversation with the sender of the focused message. */
export function replyDirectly(): boolean {
  const message = focusedMessage();
  if (message) reply({ userIds: isMine(message) ? [] : [message.sender_id] });
  return message !== undefined;
}

/** Inserts a mention of the focused message's sender into the composer. */
export function mentionSender(): boolean {
  const message = focusedMessage();
  if (!message) return false;
  const { sender_id: id } = message;
  toInsert.value = `@**${nameOf(id)}|${id}** `;
  return write();
}

/** Forwards the focused message. */
export function forward(): boolean {
  forwarded.value = Number(focused()?.dataset['id']) || null;
  return forwarded.value !== null;
}

/** Opens a dialog about the focused message. */
export function openFor(stage: 'move' | 'history' | 'receipts'): boolean {
  const message = focusedMessage();
  if (message) asked.value = { message, stage };
  return message !== undefined;
}

/** Runs an action on the focused message. */
function withMessage(work: (message: NonNullable<ReturnType<typeof focusedMessage>>) => void): boolean {
  const message = focusedMessage();
  if (message) work(message);
  return message !== undefined;
}

export const thumbsUp = () => withMessage((message) => react(message, THUMBS_UP));
export const collapse = () => withMessage((message) => attempt(setFlag(message, 'collapsed')));
export const unreadFromHere = () => withMessage((message) => attempt(markUnread(message)));
export const showContext = () => withMessage((message) => navigate(hrefOf(placeOf(message), message.id)));

/** Opens the channel of an open topic, or else the conversation of the focused message. */
export function toggleTopic(): boolean {
  const message = focusedMessage();
  const open = placeAtHand();
  const isOpen = open !== null && 'topic' in open && decodeURI(path.value) === decodeURI(hrefOf(open));
  if (isOpen) return go(hrefOf({ channelId: open.channelId }, message?.id));
  return message !== undefined && go(hrefOf(placeOf(message), message.id));
}

/** Mutes or unmutes the current topic. */
export function muteTopic(): boolean {
  const place = placeAtHand();
  if (!place || !('topic' in place)) return false;
  const { channelId, topic } = place;
  const { muted, none } = TOPIC_POLICY;
  attempt(setTopicPolicy(channelId, topic, policyOf(channelId, topic) === muted ? none : muted));
  return true;
}

/** Asks for confirmation to join or leave the current channel. */
export function askToSubscribe(): boolean {
  const place = placeAtHand();
  if (!place || !('channelId' in place) || !channels.value.has(place.channelId)) return false;
  asked.value = { channelId: place.channelId };
  return true;
}

/** Opens the conversation that the composer writes to, and focuses its composer. */
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

/** Filters the channels or people of the navigation. */
export function filter(what: 'channels' | 'people'): boolean {
  filtered.value = what;
  return true;
}
