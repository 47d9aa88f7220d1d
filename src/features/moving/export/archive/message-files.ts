import { MessageFact } from '../../../messages/messages.module';
import type { ArchiveBuilder } from './archive-builder';
import { type ExportedMessage, type Members, ReceiverRows } from './receiver-rows';
import { type ExportContext, MessageType, REALM, recipientId, RecipientType } from './export-context';
import type { NamedRows, RawRow } from './row-files';

/** Messages per file. Importers depend on this number only for their memory use. */
const MESSAGES_A_FILE = 1_000;

/** Adds files with messages and the flags of each receiver. */
export async function addMessageFiles(context: ExportContext, archive: ArchiveBuilder): Promise<void> {
  const receivers = await ReceiverRows.of(context);
  await eachMessageFile(context, archive, (messages, members) => [
    ['zerver_message', messageRows(context, messages, members)],
    ['zerver_usermessage', receivers.of(messages, members)],
  ]);
}

/** Adds a file for every thousand messages. @param tables returns the tables of a file */
export async function eachMessageFile(
  context: ExportContext,
  archive: ArchiveBuilder,
  tables: (messages: readonly ExportedMessage[], members: Members) => readonly NamedRows[],
): Promise<void> {
  const total = await countMessages(context);
  let after = 0;
  for (let number = 1; ; number++) {
    const messages = await messagesAfter(context, after);
    const last = messages.at(-1);
    if (!last) return;
    const members = await membersOf(context, messages);
    await archive.tables(`messages-${String(number).padStart(6, '0')}`, tables(messages, members));
    after = last.id;
    archive.report((number - 1) * MESSAGES_A_FILE + messages.length, total, 'messages');
  }
}

async function countMessages({ db, scope }: ExportContext): Promise<number> {
  const { sql, values } = scope.messages;
  const { count } = await db.queryOne<{ count: number }>(
    `SELECT COUNT(*) AS count FROM message m WHERE ${sql}`,
    values,
  );
  return Number(count);
}

function messagesAfter({ db, scope }: ExportContext, after: number): Promise<ExportedMessage[]> {
  const { sql, values } = scope.messages;
  return db.query<ExportedMessage>(
    `SELECT m.*, t.name AS topic_name FROM message m LEFT JOIN topic t ON t.id = m.topic_id
     WHERE m.id > ? AND ${sql} ORDER BY m.id LIMIT ${MESSAGES_A_FILE}`,
    [after, ...values],
  );
}

async function membersOf({ db }: ExportContext, messages: readonly ExportedMessage[]): Promise<Members> {
  const ids = [...new Set(messages.flatMap(({ conversation_id: id }) => id ?? []))];
  const members = new Map<number, number[]>(ids.map((id) => [id, []]));
  const rows = await db.query<{ id: number; user_id: number }>(
    `SELECT conversation_id AS id, user_id FROM direct_conversation_member
     WHERE conversation_id IN (?) ORDER BY conversation_id, user_id`,
    [ids],
  );
  for (const row of rows) members.get(row.id)?.push(row.user_id);
  return members;
}

/** Converts messages to rows of the archive. */
export async function* messageRows(
  context: ExportContext,
  messages: readonly ExportedMessage[],
  members: Members,
): AsyncIterable<Record<string, unknown> & { readonly id: number }> {
  for (const message of messages) {
    const isEdited = message.last_edited_at !== null || message.last_moved_at !== null;
    yield {
      id: message.id,
      sender: message.sender_id,
      recipient: recipientOf(message, members),
      realm: REALM,
      type:
        (message.facts & MessageFact.isResolutionNotice) !== 0
          ? MessageType.resolutionNotice
          : MessageType.ordinary,
      subject: message.topic_name ?? '',
      content: message.content,
      rendered_content: message.rendered_content,
      rendered_content_version: 1,
      date_sent: message.sent_at,
      sending_client: context.clients.numberOf(message.client_name),
      last_edit_time: isEdited ? Math.max(message.last_edited_at ?? 0, message.last_moved_at ?? 0) : null,
      edit_history: isEdited ? await editHistory(context, message.id) : null,
      has_attachment: (message.facts & MessageFact.hasAttachment) !== 0,
      has_image: (message.facts & MessageFact.hasImage) !== 0,
      has_link: (message.facts & MessageFact.hasLink) !== 0,
      is_channel_message: message.channel_id !== null,
    };
  }
}

/** Conversations of two have no recipient row; the recipient is the other person. */
function recipientOf(message: ExportedMessage, members: Members): number {
  if (message.channel_id !== null) return recipientId(RecipientType.channel, message.channel_id);
  const conversationId = message.conversation_id ?? 0;
  const people = members.get(conversationId) ?? [];
  if (people.length > 2) return recipientId(RecipientType.group, conversationId);
  const other = people.find((id) => id !== message.sender_id) ?? message.sender_id;
  return recipientId(RecipientType.person, other);
}

/** JSON of all edits, newest first; null if there are none. */
async function editHistory({ db }: ExportContext, messageId: number): Promise<string | null> {
  const edits = await db.query<RawRow>('SELECT * FROM message_edit WHERE message_id = ? ORDER BY id DESC', [
    messageId,
  ]);
  if (edits.length === 0) return null;
  return JSON.stringify(
    edits.map((edit) => ({
      user_id: edit.user_id,
      timestamp: edit.edited_at,
      ...(edit.prev_content === null
        ? {}
        : {
            prev_content: edit.prev_content,
            prev_rendered_content: edit.prev_rendered_content ?? '',
            prev_rendered_content_version: 1,
          }),
      ...(edit.prev_topic === null ? {} : { prev_topic: edit.prev_topic }),
      ...(edit.topic === null ? {} : { topic: edit.topic }),
      ...(edit.prev_channel_id === null ? {} : { prev_stream: edit.prev_channel_id }),
      ...(edit.channel_id === null ? {} : { stream: edit.channel_id }),
    })),
  );
}
