import { call } from '../connection/call';
import type { Message } from '../connection/records';
import { path, query } from '../router';
import { termsOf, type Narrow } from './narrow';
import { placeIn } from './places';

/** Some of the messages of a narrow, as the API returns them. */
export interface FoundMessages {
  readonly messages: readonly Message[];
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/** Requested messages, in terms of the API. */
export interface MessageRange {
  readonly anchor: number | 'newest' | 'first_unread';
  readonly num_before: number;
  readonly num_after: number;
  readonly include_anchor?: boolean;
}

export const STEP = 50;

/** Messages before and after an anchor. */
export const rangeAround = (anchor: MessageRange['anchor']): MessageRange => ({
  anchor,
  num_before: STEP,
  num_after: STEP,
});

export function ask(narrow: Narrow, range: MessageRange): Promise<FoundMessages> {
  return call('GET', 'messages', {
    ...range,
    narrow: termsOf(narrow),
    apply_markdown: true,
    client_gravatar: false,
    allow_empty_topic_name: true,
  });
}

/** Fetches a message, either its Markdown or its rendered HTML. */
export async function read(id: number, apply_markdown: boolean): Promise<Message> {
  const parameters = { apply_markdown, allow_empty_topic_name: true };
  return (await call<{ message: Message }>('GET', `messages/${id}`, parameters)).message;
}

const keyOf = (narrow: Narrow, range: MessageRange) => JSON.stringify([termsOf(narrow), range]);

let early: { readonly key: string; readonly answer: Promise<FoundMessages | null> } | null = null;

/** ID of the message that the URL starts at. */
export const startOf = () => Number(query.value.get('near')) || null;

/** Requests the messages of the first page in parallel with the state. */
export function askEarly(): void {
  const narrow = placeIn(path.value);
  if (!narrow) return;
  const range = rangeAround(startOf() ?? 'first_unread');
  early = { key: keyOf(narrow, range), answer: ask(narrow, range).catch(() => null) };
}

/** The response to the early request, once; null if it was for something else. It may be older than the state. */
export async function earlyAnswer(narrow: Narrow, range: MessageRange): Promise<FoundMessages | null> {
  const asked = early;
  early = null;
  return asked?.key === keyOf(narrow, range) ? asked.answer : null;
}
