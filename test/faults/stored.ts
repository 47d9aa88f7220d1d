import { Caller, type Site } from './caller';

/** A message as the server has it; the content without HTML. */
export interface Stored {
  readonly id: number;
  readonly content: string;
  /** When it was sent, UNIX seconds. */
  readonly timestamp: number;
  readonly reactions: readonly { readonly emoji_name: string; readonly user_id: number }[];
  readonly flags: readonly string[];
}

/** As often a connection may break off before messages count as unreadable. */
const MAX_FAILURES = 10;

/** Every message that writers may have sent and this client sees, in the order in which the server stores them. */
export async function stored(site: Site): Promise<Stored[]> {
  const inChannel = await allOf(site, { operator: 'channel', operand: 'faults' });
  const directly = await allOf(site, { operator: 'is', operand: 'dm' });
  return [...inChannel, ...directly].sort((a, b) => a.id - b.id);
}

async function allOf(site: Site, term: Readonly<Record<string, string>>): Promise<Stored[]> {
  const caller = new Caller(site);
  const found: Stored[] = [];
  for (let failures = 0; ;) {
    const anchor = found.at(-1)?.id ?? 0;
    const query = new URLSearchParams({
      anchor: String(anchor),
      include_anchor: 'false',
      num_before: '0',
      num_after: '1000',
      narrow: JSON.stringify([term]),
    });
    const { status, body } = await caller.call(`/messages?${query.toString()}`);
    // A connection that a node just closed, after it had been idle, breaks off where it is used again.
    if (status === null && ++failures < MAX_FAILURES) continue;
    if (status !== 200) throw new Error(`Messages cannot be read: ${status} ${JSON.stringify(body)}`);
    for (const { id, content, timestamp, reactions, flags } of body.messages as Stored[])
      found.push({ id, content: plain(content), timestamp, reactions, flags });
    if (body.found_newest) return found;
  }
}

/** What a message said before it became HTML. */
export function plain(html: string): string {
  return html.replace(/<\/?p>/g, '');
}
