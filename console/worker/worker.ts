import * as words from './words';

/** The service worker: shows push notifications, and opens their messages. */
declare const self: ServiceWorkerGlobalScope & {
  readonly navigator: { readonly locks: LockManager; setAppBadge?: (count: number) => Promise<void> };
};

/** URLs of images, inserted by the build. */
declare const NOTICE_ICON: string;
declare const NOTICE_BADGE: string;

/** The payload of a push message. */
type Payload =
  | { readonly kind: 'test' }
  | {
      readonly kind: 'message';
      readonly messageId: number;
      readonly sentAt: number;
      readonly sender: string;
      readonly tag: string;
      readonly placeName: string | null;
      readonly text: string | null;
      readonly path: string;
    };

/** Lock for showing and closing notifications, shared with pages. */
const NOTICES = 'notices';

/** Data of a message's notification; those of pages have the same. */
interface Noted {
  readonly messageId: number;
  readonly path: string;
  readonly count: number;
}

/** TypeScript knows some of these only for pages. */
interface Options extends NotificationOptions {
  readonly renotify?: boolean;
  readonly timestamp?: number;
}

const show = (title: string, options: Options) =>
  self.registration.showNotification(title, { icon: NOTICE_ICON, badge: NOTICE_BADGE, ...options });

/**
 * Shows every push, because browsers end subscriptions of sites that do not. Open pages then close notifications of
 * read messages.
 */
async function notify(payload: Payload): Promise<void> {
  if (payload.kind === 'test') return show(words.worksTitle, { body: words.works, tag: 'test' });
  await self.navigator.locks.request(NOTICES, () => showMessage(payload));
  const all = await self.registration.getNotifications();
  await self.navigator.setAppBadge?.(all.length);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const window of windows) window.postMessage({ kind: 'noticed', messageId: payload.messageId });
}

async function showMessage(payload: Extract<Payload, { kind: 'message' }>): Promise<void> {
  const { messageId, sentAt, sender, tag, placeName, text, path } = payload;
  const [before] = await self.registration.getNotifications({ tag });
  const noted = before?.data as Noted | undefined;
  // An open page may have shown the message already; then its notification stays, silently.
  const isNew = !noted || noted.messageId < messageId;
  const count = (noted?.count ?? 0) + (isNew ? 1 : 0);
  const title = placeName === null ? sender : `${sender} (${placeName})`;
  await show(count > 1 ? words.several(count, title) : title, {
    body: text ?? words.hiddenText,
    tag,
    renotify: isNew,
    silent: isNew ? null : true,
    timestamp: sentAt * 1000,
    data: { messageId, path, count } satisfies Noted,
  });
}

/** The server sends URLs of other clients (`/#narrow/…`), which the console resolves; pages use the console's own. */
function pageOf(path: string): string {
  if (path.startsWith('/console')) return path;
  return path.startsWith('/#') ? `/console${path.slice(1)}` : '/console';
}

/** Opens a message in an open window, or in a new one. */
async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const found = windows.find(({ url }) => /^\/console(\/|$)/.test(new URL(url).pathname));
  if (!found) {
    await self.clients.openWindow(path);
    return;
  }
  found.postMessage({ kind: 'open', path });
  // Refused if the click was too long ago. The message is still open when the user returns.
  await found.focus().catch(() => undefined);
}

self.oninstall = () => void self.skipWaiting();
self.onactivate = (event) => event.waitUntil(self.clients.claim());

self.onpush = (event) => {
  const payload = event.data?.json() as Payload | undefined;
  if (payload) event.waitUntil(notify(payload));
};

self.onnotificationclick = (event) => {
  event.notification.close();
  const noted = event.notification.data as Noted | null;
  event.waitUntil(open(pageOf(noted?.path ?? '')));
};
