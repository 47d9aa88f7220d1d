import { placeKey, topicKey, type Place } from '../connection/place';
import { TOPIC_POLICY, type Message, type ServerEvent } from '../connection/records';
import { effect } from '@preact/signals';
import { channels, epoch, myId, nameOf, onEvent, settings, topicPolicies, unread } from '../connection/state';
import { hrefOf, isMutedTopic, placeName, placeOf } from '../conversations/places';
import { textOf } from '../parts/rendered';
import { pageOf } from '../parts/narrow-link';
import { navigate, path, ROOT } from '../router';
import { quietUntil } from './quiet';
import { several } from '../worker/words';
import { hiddenText } from '../words';

/** How to notify about a message. */
interface Wanted {
  readonly desktop: boolean;
  readonly sound: boolean;
}

const isOn = (name: string) => settings.value[name] === true;

/** How to notify of a message: by direct message or mention first, then by topic, then by channel. */
function wantedFor(place: Place, flags: readonly string[]): Wanted {
  const personal = { desktop: isOn('enable_desktop_notifications'), sound: isOn('enable_sounds') };
  if ('userIds' in place || flags.includes('mentioned') || flags.includes('has_alert_word')) return personal;
  const policy = topicPolicies.value.get(topicKey(place.channelId, place.topic));
  const isWildcard = flags.some((flag) => flag.endsWith('wildcard_mentioned'));
  if (policy === TOPIC_POLICY.followed) {
    if (isWildcard && isOn('enable_followed_topic_wildcard_mentions_notify')) return personal;
  } else if (isMutedTopic(place.channelId, place.topic)) {
    return { desktop: false, sound: false };
  }
  const channel = channels.value.get(place.channelId);
  if (isWildcard && (channel?.wildcard_mentions_notify ?? isOn('wildcard_mentions_notify'))) return personal;
  const isFollowed = policy === TOPIC_POLICY.followed;
  const ofTopic = (name: string) => isFollowed && isOn(name);
  return {
    desktop:
      ofTopic('enable_followed_topic_desktop_notifications') ||
      (channel?.desktop_notifications ?? isOn('enable_stream_desktop_notifications')),
    sound:
      ofTopic('enable_followed_topic_audible_notifications') ||
      (channel?.audible_notifications ?? isOn('enable_stream_audible_notifications')),
  };
}

/** Name of the lock that a tab holds while the user is looking at a conversation. */
const seenAs = (href: string) => `seen ${decodeURI(href)}`;

let leave = () => {};

/** Tells other tabs which conversation the user is looking at in this one. */
function showWhere(): void {
  const seen = seenAs(path.value);
  leave();
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
  const left = new Promise<void>((resolve) => (leave = resolve));
  void navigator.locks?.request(seen, { mode: 'shared' }, () => left);
}

/** Whether the user is looking at the conversation, in this tab or another. */
async function isSeen(place: Place): Promise<boolean> {
  const seen = seenAs(hrefOf(place));
  if (seenAs(path.value) === seen && document.visibilityState === 'visible' && document.hasFocus())
    return true;
  const locks = await navigator.locks?.query();
  return locks?.held?.some(({ name }) => name === seen) === true;
}

/**
 * Runs work in one tab only, the first to ask within a period. Without TLS, tabs cannot coordinate, so each runs it.
 */
async function alone(what: string, ms: number, work: () => unknown): Promise<void> {
  if (!('locks' in navigator)) return void work();
  await navigator.locks.request(what, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    work();
    await new Promise((resolve) => setTimeout(resolve, ms));
  });
}

const QUIET_MS = 3000;
let soundedAt = 0;

/** Plays the notification sound, with a minimum interval. */
export function playSound(): void {
  if (settings.value['notification_sound'] === 'none' || Date.now() - soundedAt < QUIET_MS) return;
  // Browsers do not play sounds before the user interacts with the page.
  if (navigator.userActivation?.hasBeenActive === false) return;
  void alone('sound', QUIET_MS, ring);
}

/** Plays two notes. */
function ring(): void {
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

/** Whether the browser shows notifications for this page: requires TLS or localhost, and permission. */
export function noticeState(): 'missing' | NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'missing';
}

/** URL of an image, inserted by the build. */
declare const NOTICE_ICON: string;

const LONGEST_TEXT = 200;
/** Notifications of this page by conversation, each with its newest message. */
const shown = new Map<string, { readonly notice: Notification; readonly messageId: number }>();

/** The service worker, if this browser receives push notifications; it then also shows the notifications of pages. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration(ROOT);
  return registration?.active ? registration : undefined;
}

/** Runs work on all notifications, excluding other tabs and the worker. */
const withNotices = (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('notices', work) : work();

/** ID of the newest message received by the page. */
let newest = 0;

/** Shows a notification in the same way as the worker. */
async function keep(
  registration: ServiceWorkerRegistration,
  title: string,
  options: NotificationOptions & { readonly tag: string },
  about: { readonly messageId: number; readonly path: string },
): Promise<void> {
  // The message was read in the meantime.
  if (!unread.peek().has(about.messageId)) return;
  const [before] = await registration.getNotifications({ tag: options.tag });
  const noted = before?.data as { readonly messageId: number; readonly count: number } | undefined;
  // A push notification was faster.
  if (noted && noted.messageId >= about.messageId) return;
  const data = { ...about, count: (noted?.count ?? 0) + 1 };
  const renewed = { ...options, renotify: true, data };
  await registration.showNotification(data.count > 1 ? several(data.count, title) : title, renewed);
}

async function show(message: Message, place: Place): Promise<void> {
  if (noticeState() !== 'granted') return;
  const name = nameOf(message.sender_id);
  const isDirect = 'userIds' in place;
  const isHidden = isDirect && settings.value['pm_content_in_desktop_notifications'] === false;
  const key = placeKey(place);
  const title = isDirect ? name : `${name} (${placeName(place)})`;
  const options = {
    body: isHidden ? hiddenText : textOf(message.content).trim().slice(0, LONGEST_TEXT),
    // Replaced by later ones of the conversation, from any window or push.
    tag: key,
    icon: NOTICE_ICON,
  };
  const href = hrefOf(place, message.id);
  const registration = await worker();
  const about = { messageId: message.id, path: href };
  if (registration) return withNotices(() => keep(registration, title, options, about));
  if (!unread.peek().has(message.id)) return;
  const notice = new Notification(title, options);
  shown.set(key, { notice, messageId: message.id });
  notice.onclick = () => {
    window.focus();
    navigate(href);
    notice.close();
  };
}

/** Closes notifications of messages that were read here or elsewhere. */
async function closeRead(isRead: (messageId: number) => boolean): Promise<void> {
  for (const [key, { notice, messageId }] of shown) {
    if (!isRead(messageId)) continue;
    notice.close();
    shown.delete(key);
  }
  const registration = await worker();
  if (!registration) return;
  await withNotices(async () => {
    for (const notice of await registration.getNotifications()) {
      const data = notice.data as { readonly messageId: number } | null;
      if (data && isRead(data.messageId)) notice.close();
    }
  });
}

function take(event: ServerEvent): void {
  if (event.type === 'update_message_flags' && event.flag === 'read' && event.op === 'add') {
    void closeRead((id) => event.all || event.messages.includes(id));
  }
  if (event.type !== 'message') return;
  const message = event.message as Message;
  newest = Math.max(newest, message.id);
  const flags = event.flags as readonly string[];
  if (message.sender_id === myId.value || flags.includes('read')) return;
  if (quietUntil.value <= Date.now()) void tell(message, placeOf(message), flags);
}

/** Tabs receive the same message within this time, unless they are asleep. */
const SAME_MS = 5000;

async function tell(message: Message, place: Place, flags: readonly string[]): Promise<void> {
  const wanted = wantedFor(place, flags);
  if (!(wanted.desktop || wanted.sound) || (await isSeen(place))) return;
  if (wanted.desktop) void alone(`notice ${message.id}`, SAME_MS, () => show(message, place));
  if (wanted.sound) playSound();
}

/** Shows notifications of messages that the user is not looking at, and opens them on click. */
export function notify(): void {
  onEvent(take);
  effect(showWhere);
  for (const kind of ['focus', 'blur']) addEventListener(kind, showWhere);
  document.addEventListener('visibilitychange', showWhere);
  effect(() => {
    if (epoch.value > 0) void closeRead((id) => !unread.peek().has(id));
  });
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<Record<string, unknown>>) => {
    // The push arrived after the message was read.
    if (data['kind'] === 'noticed') void closeRead((id) => id <= newest && !unread.peek().has(id));
    const target = data['kind'] === 'open' ? String(data['path']) : '';
    if (target.startsWith(ROOT)) navigate(pageOf(new URL(target, location.origin).hash) ?? target);
  });
}
