import { signal } from '@preact/signals';
import { REGISTRATION } from './apply-event';
import { call, Refusal } from './call';
import type { Registration, ServerEvent } from './records';
import { begin, take } from './state';

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
async function poll(queue_id: string, last_event_id: number, dont_block: boolean): Promise<number> {
  const offline = new AbortController();
  const abort = () => offline.abort();
  addEventListener('offline', abort);
  const signal = AbortSignal.any([offline.signal, AbortSignal.timeout(LONGEST_POLL_MS)]);
  const { events } = await call<{ events: ServerEvent[] }>(
    'GET',
    'events',
    { queue_id, last_event_id, dont_block },
    signal,
  ).finally(() => removeEventListener('offline', abort));
  take(events.filter(({ type }) => type !== 'heartbeat'));
  return events.at(-1)?.id ?? last_event_id;
}

/** Registers, and takes in what happens, for as long as the page is open. */
export async function stayLive(): Promise<void> {
  let queue: { readonly id: string; readonly last: number } | null = null;
  let failures = 0;
  for (;;) {
    try {
      if (queue) {
        queue = { id: queue.id, last: await poll(queue.id, queue.last, failures > 0) };
      } else {
        const registration = await register();
        queue = { id: registration.queue_id, last: registration.last_event_id };
        begin(registration);
      }
      connection.value = 'live';
      failures = 0;
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      // The page is about to leave for where one signs in.
      if (isRefusal && error.status === 401) return;
      if (isRefusal && error.code === 'BAD_EVENT_QUEUE_ID') {
        queue = null;
        continue;
      }
      connection.value = 'lost';
      await pause(failures++);
    }
  }
}
