import { signal } from '@preact/signals';
import { callQuietly } from '../connection/call';
import { connection } from '../connection/live';
import { othersOf, placeKey, type Place } from '../connection/place';
import { myId, onEvent, organization, settings } from '../connection/state';

type Target = Place | { readonly channelId: number; readonly topic: string };

/** When each typing status expires, by place and user. */
const typists = signal<ReadonlyMap<string, ReadonlyMap<number, number>>>(new Map());

/** A period of typing notifications according to the server, in milliseconds. */
const period = (name: string, otherwise: number) =>
  Number(organization.value[`server_typing_${name}_period_milliseconds`] ?? otherwise);

function change(key: string, userId: number, until: number | null): void {
  const those = new Map(typists.value.get(key));
  if (until === null) those.delete(userId);
  else those.set(userId, until);
  const all = new Map(typists.value);
  if (those.size > 0) all.set(key, those);
  else all.delete(key);
  typists.value = all;
}

/** IDs of the users typing in a place. */
export function typingIn(place: Place): number[] {
  return [...(typists.value.get(placeKey(place))?.keys() ?? [])];
}

onEvent((event) => {
  if (event.type === 'message') {
    // Sending a message ends typing.
    for (const key of typists.value.keys()) change(key, event.message.sender_id, null);
  }
  if (event.type !== 'typing') return;
  const userId = event.sender.user_id as number;
  if (userId === myId.value) return;
  const place: Place =
    event.message_type === 'direct'
      ? {
          userIds: othersOf(
            event.recipients.map((each: { user_id: number }) => each.user_id),
            myId.value,
          ),
        }
      : { channelId: event.stream_id, topic: event.topic };
  const key = placeKey(place);
  if (event.op === 'stop') return change(key, userId, null);
  const until = Date.now() + period('started_expiry', 15_000);
  change(key, userId, until);
  setTimeout(() => {
    if (typists.value.get(key)?.get(userId) === until) change(key, userId, null);
  }, until - Date.now());
});

/** Where others see the user typing, and since when. */
let told: { readonly target: Target; readonly at: number } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function tell(target: Target, op: 'start' | 'stop'): void {
  if (connection.value !== 'live') return;
  const to =
    'userIds' in target
      ? { type: 'direct', to: target.userIds }
      : { type: 'stream', stream_id: target.channelId, topic: target.topic };
  // A failure does no harm.
  callQuietly('POST', 'typing', { ...to, op }).catch(() => undefined);
}

/** Reports that the user stopped typing, if that was reported before. */
export function stopTyping(): void {
  clearTimeout(timer);
  if (told) tell(told.target, 'stop');
  told = null;
}

/** Reports that the user is typing, unless their settings forbid it. */
export function tellTyping(target: Target | { readonly channelId: number }, text: string): void {
  const isDirect = 'userIds' in target;
  const setting = isDirect ? 'send_private_typing_notifications' : 'send_stream_typing_notifications';
  if (settings.value[setting] === false || (isDirect && target.userIds.length === 0)) return;
  if (!('userIds' in target || 'topic' in target)) return;
  const isElsewhere = told !== null && placeKey(told.target) !== placeKey(target);
  if (text === '' || isElsewhere) stopTyping();
  if (text === '') return;
  if (!told || Date.now() - told.at >= period('started_wait', 10_000)) {
    told = { target, at: Date.now() };
    tell(target, 'start');
  }
  clearTimeout(timer);
  timer = setTimeout(stopTyping, period('stopped_wait', 5000));
}
