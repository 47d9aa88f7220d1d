import { signal } from '@preact/signals';
import { REGISTRATION } from './apply-event';
import { call, goToSignIn, Refusal, sessionToken } from './call';
import type { Registration, ServerEvent } from './records';
import { begin, resume, snapshot, take } from './state';
import { type Position, Tabs } from './tabs';

/** Whether the displayed data is up to date. */
export const connection = signal<'starting' | 'live' | 'lost'>('starting');

const LONGEST_PAUSE_MS = 30_000;

function register(): Promise<Registration> {
  return call('POST', 'register', REGISTRATION);
}

/** Waits with exponential backoff, or until the device is online again. */
function pause(failures: number): Promise<void> {
  const longest = Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    // Jitter, so that clients do not all return to a restarted server at the same time.
    const timer = setTimeout(done, longest * (0.5 + Math.random() / 2));
    addEventListener('online', done);
  });
}

/** The server responds to a poll within ninety seconds; after this time the response must have been lost. */
const LONGEST_POLL_MS = 120_000;

/** @param dont_block whether to return at once, to find out whether the server is back */
async function poll(
  { queue, last }: Position,
  dont_block: boolean,
  stop: AbortSignal,
): Promise<ServerEvent[]> {
  const offline = new AbortController();
  const abort = () => offline.abort();
  addEventListener('offline', abort);
  const signal = AbortSignal.any([stop, offline.signal, AbortSignal.timeout(LONGEST_POLL_MS)]);
  const { events } = await call<{ events: ServerEvent[] }>(
    'GET',
    'events',
    { queue_id: queue, last_event_id: last, dont_block },
    signal,
  ).finally(() => removeEventListener('offline', abort));
  return events;
}

/** This tab's position in the queue; null before it has a state, and when the queue is gone. */
let at: Position | null = null;

function apply(events: readonly ServerEvent[], position: Position): void {
  at = position;
  take(events.filter(({ type }) => type !== 'heartbeat'));
}

/**
 * Registers unless another tab has, and processes events until the session ends or another tab takes over.
 * @param tabs the other tabs; null if the browser has no locks, such as without TLS
 */
async function lead(tabs: Tabs | null, stop: AbortSignal): Promise<void> {
  let failures = 0;
  const become = (value: typeof connection.value) => {
    if (connection.value === value) return;
    connection.value = value;
    tabs?.shareConnection();
  };
  while (!stop.aborted) {
    try {
      if (at) {
        const before = at;
        const events = await poll(before, failures > 0, stop);
        // These events are not acknowledged, so the tab that took over receives them again.
        if (stop.aborted) return;
        const last = events.at(-1)?.id ?? before.last;
        apply(events, { queue: before.queue, last });
        if (events.length > 0) tabs?.passOn(events, before, last);
      } else {
        const registration = await register();
        if (stop.aborted) return;
        at = { queue: registration.queue_id, last: registration.last_event_id };
        begin(registration);
        tabs?.shareState();
      }
      become('live');
      failures = 0;
    } catch (error) {
      if (stop.aborted) return;
      const isRefusal = error instanceof Refusal;
      // The page is about to leave for sign-in.
      if (isRefusal && error.status === 401) return tabs?.end();
      // Events that another tab has acknowledged cannot be fetched again.
      if (isRefusal && (error.code === 'BAD_EVENT_QUEUE_ID' || (at && error.status === 400))) {
        at = null;
        continue;
      }
      become('lost');
      await pause(failures++);
    }
  }
}

/** Keeps the state up to date while the page is open, through its own poll or that of another tab. */
export async function stayLive(): Promise<void> {
  const token = sessionToken();
  if (!('locks' in navigator) || token === '') return lead(null, new AbortController().signal);
  // After an upgrade, tabs with the old script lack state that this one needs. The script's URL contains its hash.
  const tabs: Tabs = new Tabs(`parley ${import.meta.url} ${token}`, {
    at: () => at,
    state: snapshot,
    connection: () => connection.value,
    onState: (state, position) => {
      at = position;
      resume(state);
    },
    onEvents: apply,
    onConnection: (value) => {
      // Without a state, nothing can be up to date.
      if (at || value !== 'live') connection.value = value as typeof connection.value;
    },
    onEnd: goToSignIn,
  });
  return tabs.takeTurns((stop) => lead(tabs, stop));
}
