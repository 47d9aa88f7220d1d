import { signal } from '@preact/signals';
import { REGISTRATION } from './apply-event';
import { call, goToSignIn, Refusal, sessionToken } from './call';
import type { Registration, ServerEvent } from './records';
import { begin, resume, snapshot, take } from './state';
import { type Position, Tabs } from './tabs';

/** Whether what is on the screen is up to date. */
export const connection = signal<'starting' | 'live' | 'lost'>('starting');

const LONGEST_PAUSE_MS = 30_000;

function register(): Promise<Registration> {
  return call('POST', 'register', REGISTRATION);
}

/** Waits longer each time, and no longer than until the device is back in the network. */
function pause(failures: number): Promise<void> {
  const longest = Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    // Not all at once, when a server is back that many wait for.
    const timer = setTimeout(done, longest * (0.5 + Math.random() / 2));
    addEventListener('online', done);
  });
}

/** The server answers a poll within a minute and a half, whatever happens; what takes longer is lost on the way. */
const LONGEST_POLL_MS = 120_000;

/** @param dont_block what there is, at once: that is how one knows that the server is back */
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

/** Where this tab is in the queue; null before it has a state, and when the queue is gone. */
let at: Position | null = null;

function apply(events: readonly ServerEvent[], position: Position): void {
  at = position;
  take(events.filter(({ type }) => type !== 'heartbeat'));
}

/**
 * Registers where no tab has yet, and takes in what happens, until the session is over or another tab takes over.
 * @param tabs the others; null where the browser has no locks, as without TLS
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
        // The tab that took over hears of them again: they are not acknowledged.
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
      // The page is about to leave for where one signs in.
      if (isRefusal && error.status === 401) return tabs?.end();
      // Of events that another tab has acknowledged, there is no second copy.
      if (isRefusal && (error.code === 'BAD_EVENT_QUEUE_ID' || (at && error.status === 400))) {
        at = null;
        continue;
      }
      become('lost');
      await pause(failures++);
    }
  }
}

/** Keeps the state up to date for as long as the page is open: by its own poll, or by that of another tab. */
export async function stayLive(): Promise<void> {
  const token = sessionToken();
  if (!('locks' in navigator) || token === '') return lead(null, new AbortController().signal);
  // After an upgrade, the state of a tab with the former script lacks what this one reads. The address has its hash.
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
      // Without a state there is nothing that could be up to date.
      if (at || value !== 'live') connection.value = value as typeof connection.value;
    },
    onEnd: goToSignIn,
  });
  return tabs.takeTurns((stop) => lead(tabs, stop));
}
