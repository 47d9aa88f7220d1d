import { placeKey, topicKey, type Place } from '../connection/place';
import { TOPIC_POLICY, type Message, type ServerEvent } from '../connection/records';
import { channels, myId, nameOf, onEvent, settings, topicPolicies } from '../connection/state';
import { isMutedTopic } from '../conversations/navigation';
import { hrefOf, placeName, placeOf } from '../conversations/places';
import { textOf } from '../parts/rendered';
import { navigate, path } from '../router';
import { notifications as words } from '../words';

/** The content of a notification. */
interface Wanted {
  readonly desktop: boolean;
  readonly sound: boolean;
}

const isOn = (name: string) => settings.value[name] === true;

/** What the settings say about a message, direct ones and mentions first, then what is muted, followed, and the channel. */
function wantedFor(place: Place, flags: readonly string[]): Wanted {
  const personal = { desktop: isOn('enable_desktop_notifications'), sound: isOn('enable_sounds') };
  if ('userIds' in place || flags.includes('mentioned') || flags.includes('has_alert_word')) return personal;
  const policy = topicPolicies.value.get(topicKey(place.channelId, place.topic));
  const isWildcard = flags.some((flag) => flag.endsWith('wildcard_mentioned'));
  if (policy === TOPIC_POLICY.followed) {
    if (isWildcard && isOn('enable_followed_topic_wildcard_mentions_notify')) return personal;
    return {
      desktop: isOn('enable_followed_topic_desktop_notifications'),
      sound: isOn('enable_followed_topic_audible_notifications'),
    };
  }
  if (isMutedTopic(place.channelId, place.topic)) return { desktop: false, sound: false };
  if (isWildcard && isOn('wildcard_mentions_notify')) return personal;
  const channel = channels.value.get(place.channelId);
  return {
    desktop: channel?.desktop_notifications ?? isOn('enable_stream_desktop_notifications'),
    sound: channel?.audible_notifications ?? isOn('enable_stream_audible_notifications'),
  };
}

/** Whether the reader has the conversation before their eyes. */
function isSeen(place: Place): boolean {
  const isHere = decodeURI(path.value) === decodeURI(hrefOf(place));
  return isHere && document.visibilityState === 'visible' && document.hasFocus();
}

const QUIET_MS = 3000;
let soundedAt = 0;

/** Two notes, one after the other, and not more often than one can bear. */
export function playSound(): void {
  if (settings.value['notification_sound'] === 'none' || Date.now() - soundedAt < QUIET_MS) return;
  soundedAt = Date.now();
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.15, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.6);
  volume.connect(context.destination);
  for (const [index, frequency] of [880, 1320].entries()) {
    const note = context.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(context.currentTime + index * 0.12);
    note.stop(context.currentTime + 0.6);
  }
  setTimeout(() => void context.close(), 1000);
}

/** Whether the browser shows notices for this page: it does so over TLS or on the machine itself, and if it may. */
export function noticeState(): 'missing' | NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'missing';
}

const LONGEST_TEXT = 200;
/** Notices that are shown, by the keys of their conversations, with the newest message that each is about. */
const shown = new Map<string, { readonly notice: Notification; readonly messageId: number }>();

function show(message: Message, place: Place): void {
  if (noticeState() !== 'granted') return;
  const name = nameOf(message.sender_id);
  const isDirect = 'userIds' in place;
  const isHidden = isDirect && settings.value['pm_content_in_desktop_notifications'] === false;
  const key = placeKey(place);
  const notice = new Notification(isDirect ? name : `${name} (${placeName(place)})`, {
    body: isHidden ? words.hidden : textOf(message.content).trim().slice(0, LONGEST_TEXT),
    // A later one of the conversation takes its place, in whichever window it comes.
    tag: key,
    icon: '/favicon.ico',
  });
  shown.set(key, { notice, messageId: message.id });
  notice.onclick = () => {
    window.focus();
    navigate(hrefOf(place, message.id));
    notice.close();
  };
}

function take(event: ServerEvent): void {
  if (event.type === 'update_message_flags' && event.flag === 'read' && event.op === 'add') {
    for (const [key, { notice, messageId }] of shown) {
      if (!event.all && !event.messages.includes(messageId)) continue;
      notice.close();
      shown.delete(key);
    }
  }
  if (event.type !== 'message') return;
  const message = event.message as Message;
  const flags = event.flags as readonly string[];
  if (message.sender_id === myId.value || flags.includes('read')) return;
  const place = placeOf(message);
  if (isSeen(place)) return;
  const wanted = wantedFor(place, flags);
  if (wanted.desktop) show(message, place);
  if (wanted.sound) playSound();
}

/** Notifies of messages while the page is open but not visible. */
export function notify(): void {
  onEvent(take);
}
