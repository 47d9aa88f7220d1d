import type { Answer, Parameters } from './api-client';
import type { Member } from './cast';
import type { CapturedEvent } from './event-capture';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';

/** Sends a message to a channel, by its name or ID. @returns its ID */
export async function sendTo(
  app: TestApp,
  sender: Member,
  channel: string | number,
  topic: string,
  content = 'hello',
  more: Parameters = {},
): Promise<number> {
  const to = typeof channel === 'number' ? channel : JSON.stringify(channel);
  const answer = await app.as(sender).post('/messages', { type: 'channel', to, topic, content, ...more });
  return expectSuccess(answer).id;
}

/** Sends a direct message. @returns its ID */
export async function sendDirect(
  app: TestApp,
  sender: Member,
  recipients: readonly Pick<Member, 'id'>[],
  content = 'hello',
): Promise<number> {
  const to = recipients.map(({ id }) => id);
  return expectSuccess(await app.as(sender).post('/messages', { type: 'direct', to, content })).id;
}

/** Fetches up to a hundred of the newest messages of a narrow. */
export function fetchMessages(
  app: TestApp,
  reader: Member | null,
  narrow: readonly unknown[],
  more: Parameters = {},
): Promise<Answer> {
  const client = reader ? app.as(reader) : app.client();
  return client.get('/messages', { anchor: 'newest', num_before: 100, narrow, ...more });
}

/** IDs of the messages that {@link fetchMessages} finds, ascending. */
export async function fetchIds(
  app: TestApp,
  reader: Member | null,
  narrow: readonly unknown[],
  more: Parameters = {},
): Promise<number[]> {
  const { messages } = expectSuccess(await fetchMessages(app, reader, narrow, more));
  return messages.map((message: { id: number }) => message.id);
}

/** One message with its flags, as seen by a person. */
export async function fetchMessage(app: TestApp, reader: Member, id: number, more: Parameters = {}) {
  return expectSuccess(await app.as(reader).get(`/messages/${id}`, more)).message;
}

/** Copies a message within its topic many times, at once and without events. @returns the IDs, ascending */
export async function copyMessage(app: TestApp, messageId: number, times: number): Promise<number[]> {
  const columns =
    'sender_id, channel_id, topic_id, conversation_id, content, rendered_content, client_name, sent_at, facts';
  const rows = await app.writeRows((tx) =>
    tx.query<{ id: number }>(
      `INSERT INTO message (${columns})
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT ${columns} FROM n CROSS JOIN message WHERE id = ? RETURNING id`,
      [times, messageId],
    ),
  );
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** The event of an edit or move among the given events. */
export function moveIn(events: readonly CapturedEvent[]): CapturedEvent | undefined {
  return events.find(({ event }) => event.type === 'update_message');
}
