import { call, Refusal } from '../connection/call';
import { myId } from '../connection/state';
import { ROOT } from '../router';
import { quietUntil } from './quiet';
import * as words from './words';

/** A browser that is notified. */
export interface PushSubscriptionRecord {
  readonly id: number;
  /** Host of the push service. */
  readonly service: string;
  readonly created_at: number;
  readonly is_current: boolean;
}

/** What the server knows of the user's browsers. */
export interface PushRecords {
  readonly public_key: string;
  readonly subscriptions: readonly PushSubscriptionRecord[];
}

/** For whom this browser gets push notifications, and the endpoint that the server was told. */
interface Noted {
  readonly userId: number;
  readonly endpoint: string;
}

/** Under which that is kept; `renew-push.ts` looks for it. */
const NOTED = 'push';

const WORKER = `${ROOT}/worker.js`;

const rules = { createScriptURL: (_address: string) => WORKER };

/** Names the one program that this page may register. */
const policy = window.trustedTypes?.createPolicy('parley-worker', rules) ?? rules;

/** Whether this browser can be notified while no page is open: over TLS or on the machine itself. */
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

/** Subscribes at the browser's push service; a subscription for another key of the server is of no use any more. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(policy.createScriptURL(WORKER), { scope: ROOT });
  const { pushManager } = await navigator.serviceWorker.ready;
  const existing = await pushManager.getSubscription();
  if (existing && base64Of(existing.options.applicationServerKey) === publicKey) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Subscribes, and tells the server unless it knows. */
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

/** Tells the server until when this browser wants to hear nothing. */
export async function tellQuiet(): Promise<void> {
  const current = (await pushRecords()).subscriptions.find((each) => each.is_current);
  if (current) await call('PATCH', `web_push/subscriptions/${current.id}`, { quiet_until: quietSeconds() });
}

/**
 * Turns push notifications on for this browser, which asks its user.
 * @throws {Refusal} in a sentence, also where the browser cannot
 */
export async function turnOnPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Refusal(words.denied);
  try {
    await tell();
  } catch (error) {
    throw error instanceof DOMException ? new Refusal(words.noService) : error;
  }
}

/** Keeps them on, after a new session, a new key of the server, or a new address of the push service. */
export async function renew(): Promise<void> {
  const noted = JSON.parse(localStorage.getItem(NOTED) ?? 'null') as Noted | null;
  // This browser must not tell one person what another is sent.
  if (noted?.userId !== myId.value) return endPush();
  // Where it fails, the next page tries again.
  if (Notification.permission === 'granted') await tell(noted.endpoint).catch(() => undefined);
}

/** Turns them off for this browser. */
async function endPush(): Promise<void> {
  localStorage.removeItem(NOTED);
  const registration = await navigator.serviceWorker.getRegistration(ROOT);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Turns them off for a browser; the push service forgets this one, too. */
export async function removePush({ id, is_current }: PushSubscriptionRecord): Promise<void> {
  await call('DELETE', `web_push/subscriptions/${id}`);
  if (is_current) await endPush();
}

/** Has the server send a notification. @returns what became of it, in a sentence */
export async function testPush({ id }: PushSubscriptionRecord): Promise<string> {
  const { outcome, reason } = await call<{ outcome: 'delivered' | 'gone' | 'failed'; reason: string | null }>(
    'POST',
    `web_push/subscriptions/${id}/test`,
  );
  return outcome === 'failed' ? words.failed(reason ?? '') : words[outcome];
}
