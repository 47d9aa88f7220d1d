import { signal } from '@preact/signals';
import { call } from '../connection/call';
import type { Message, ServerEvent } from '../connection/records';
import { epoch, onEvent } from '../connection/state';

/** Maximum number of messages kept; the oldest are dropped. */
const MOST = 5000;
/** Maximum number of message IDs per request. */
const AT_ONCE = 200;
const FIRST = 100;
const STEP = 1000;

/** Messages shown in lists of conversations, by ID. Events keep them up to date. */
export const latest = signal<ReadonlyMap<number, Message>>(new Map());

/** The ID from which on all messages are known, and whether there are older ones; null before the first request. */
export const reach = signal<{ readonly from: number; readonly hasMore: boolean } | null>(null);

/** IDs of requested messages, whether or not they exist. */
const asked = new Set<number>();
/** Messages changed during pending requests, whose responses may be older. */
const changed = new Set<number>();
let underWay = 0;
let fresh = 0;
let isLoading = false;

const SHOWN = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true };

/** After missed events, requests all messages again; the responses replace the known ones. */
function begin(): void {
  if (fresh === epoch.value) return;
  fresh = epoch.value;
  asked.clear();
  reach.value = null;
}

async function ask(parameters: Readonly<Record<string, unknown>>) {
  underWay++;
  try {
    const found = await call<{ messages: Message[]; found_oldest: boolean }>('GET', 'messages', {
      ...SHOWN,
      ...parameters,
    });
    const all = new Map(latest.value);
    for (const message of found.messages) {
      if (changed.has(message.id)) asked.delete(message.id);
      else all.set(message.id, message);
    }
    const ids = [...all.keys()].sort((one, other) => one - other);
    for (const id of ids.slice(0, Math.max(0, ids.length - MOST))) all.delete(id);
    latest.value = all;
    return found;
  } finally {
    if (--underWay === 0) changed.clear();
  }
}

/** Requests messages that are not known yet. */
export async function want(ids: readonly number[]): Promise<void> {
  begin();
  const missing = ids.filter((id) => !asked.has(id) && !(latest.value.has(id) && fresh === epoch.value));
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const message_ids = missing.slice(from, from + AT_ONCE);
    for (const id of message_ids) asked.add(id);
    await ask({ message_ids }).catch(() => {
      for (const id of message_ids) asked.delete(id);
    });
  }
}

/** Requests the newest messages, and on each further call more of the preceding ones. */
export async function loadMore(): Promise<void> {
  begin();
  if (isLoading || reach.value?.hasMore === false) return;
  isLoading = true;
  const anchor = reach.value?.from ?? 'newest';
  const isFirst = reach.value === null;
  try {
    const found = await ask({
      anchor,
      num_before: isFirst ? FIRST : STEP,
      num_after: 0,
      include_anchor: isFirst,
      narrow: [],
    });
    const ids = found.messages.map(({ id }) => id);
    const from = Math.min(...ids, isFirst ? Infinity : Number(anchor));
    reach.value = { from, hasMore: !found.found_oldest && latest.value.size < MOST };
  } finally {
    isLoading = false;
  }
}

function change(ids: readonly number[], make: (message: Message) => Message | null): void {
  if (underWay > 0) for (const id of ids) changed.add(id);
  const known = ids.filter((id) => latest.value.has(id));
  if (known.length === 0) return;
  const all = new Map(latest.value);
  for (const id of known) {
    const made = make(all.get(id)!);
    if (made) all.set(id, made);
    else all.delete(id);
  }
  latest.value = all;
}

function take(event: ServerEvent): void {
  switch (event.type) {
    case 'message': {
      const message: Message = { ...event.message, flags: event.flags };
      if (fresh > 0) latest.value = new Map([...latest.value, [message.id, message]]);
      break;
    }
    case 'delete_message':
      change(event.message_ids ?? [event.message_id], () => null);
      break;
    case 'update_message':
      if (event.rendered_content !== undefined) {
        change([event.message_id], (message) => ({ ...message, content: event.rendered_content }));
      }
      if (event.subject === undefined && event.new_stream_id === undefined) break;
      change(event.message_ids, (message) => ({
        ...message,
        stream_id: event.new_stream_id ?? event.stream_id,
        subject: event.subject ?? event.orig_subject,
      }));
  }
}

onEvent(take);
