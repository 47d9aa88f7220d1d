import { call, Refusal } from '../connection/call';
import { myId } from '../connection/state';
import { ROOT } from '../router';
import { quietUntil } from './quiet';
import * as words from './words';

/** A browser that receives push notifications. */
export interface PushSubscriptionRecord {
  readonly id: number;
  /** Host of the push service. */
  readonly service: string;
  readonly created_at: number;
  readonly is_current: boolean;
}

/** The server's records of the user's browsers. */
export interface PushRecords {
  readonly public_key: string;
  readonly subscriptions: readonly PushSubscriptionRecord[];
}

/** The user who receives push notifications in this browser, and the endpoint sent to the server. */
interface Noted {
  readonly userId: number;
  readonly endpoint: string;
}

/** Storage key of that record, which `renew-push.ts` checks. */
const NOTED = 'push';

const WORKER = `${ROOT}/worker.js`;

const rules = { createScriptURL: (_address: string) => WORKER };

/** Allows only one script URL, that of the worker. */
const policy = window.trustedTypes?.createPolicy('parley-worker', rules) ?? rules;

/** Whether this browser supports push notifications: requires TLS or localhost. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

export function pushRecords(): Promise<PushRecords> {
  return call('GET', 'web_push');
}

function base64Of(bytes: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Subscribes with the browser's push service. Replaces a subscription for a former key of the server. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(policy.createScriptURL(WORKER), { scope: ROOT });
  const { pushManager } = await navigator.serviceWorker.ready;
  const existing = await pushManager.getSubscription();
  if (existing && base64Of(existing.options.applicationServerKey) === publicKey) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Subscribes, and informs the server unless it knows the subscription. */
async function tell(known?: string): Promise<void> {
  const { public_key, subscriptions } = await pushRecords();
  const { endpoint, keys } = (await subscribe(public_key)).toJSON();
  if (endpoint === known && subscriptions.some((each) => each.is_current)) return;
  await call('POST', 'web_push/subscriptions', {
    endpoint,
    p256dh: keys?.['p256dh'],
    auth: keys?.['auth'],
    quiet_until: quietSeconds(),
  });
  const noted: Noted = { userId: myId.value, endpoint: endpoint! };
  localStorage.setItem(NOTED, JSON.stringify(noted));
}

const quietSeconds = () => Math.ceil(quietUntil.value / 1000);

/** Tells the server until when this browser's notifications are paused. */
export async function tellQuiet(): Promise<void> {
  const current = (await pushRecords()).subscriptions.find((each) => each.is_current);
  if (current) await call('PATCH', `web_push/subscriptions/${current.id}`, { quiet_until: quietSeconds() });
}

/**
 * Turns on push notifications for this browser, which asks the user for permission.
 * @throws {Refusal} with a message, also if the browser cannot subscribe
 */
export async function turnOnPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Refusal(words.denied);
  try {
    await tell();
  } catch (error) {
    throw error instanceof DOMException ? new Refusal(words.noService) : error;
  }
}

/** Keeps push notifications on after a new session, server key or push endpoint. */
export async function renew(): Promise<void> {
  const noted = JSON.parse(localStorage.getItem(NOTED) ?? 'null') as Noted | null;
  // This browser must not show one user's notifications to another.
  if (noted?.userId !== myId.value) return endPush();
  // After a failure, the next page retries.
  if (Notification.permission === 'granted') await tell(noted.endpoint).catch(() => undefined);
}

/** Turns off push notifications for this browser. */
async function endPush(): Promise<void> {
  localStorage.removeItem(NOTED);
  const registration = await navigator.serviceWorker.getRegistration(ROOT);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Turns off push notifications for a browser, and unsubscribes if it is this one. */
export async function removePush({ id, is_current }: PushSubscriptionRecord): Promise<void> {
  await call('DELETE', `web_push/subscriptions/${id}`);
  if (is_current) await endPush();
}

/** Sends a test notification. @returns the outcome as a sentence */
export async function testPush({ id }: PushSubscriptionRecord): Promise<string> {
  const { outcome, reason } = await call<{ outcome: 'delivered' | 'gone' | 'failed'; reason: string | null }>(
    'POST',
    `web_push/subscriptions/${id}/test`,
  );
  return outcome === 'failed' ? words.failed(reason ?? '') : words[outcome];
}
