import { flagNames } from '../../../messages/messages.module';
import type { ArchiveBuilder } from '../archive/archive-builder';
import type { ExportContext } from '../archive/export-context';
import { eachMessageFile, messageRows } from '../archive/message-files';
import { type ExportedMessage, type Members, ReceiverRows } from '../archive/receiver-rows';

/** Adds the messages of one person, each with the person's flags on it, and with names in place of numbers. */
export async function addMessagesOfPerson(context: ExportContext, archive: ArchiveBuilder): Promise<void> {
  const receivers = await ReceiverRows.of(context);
  await eachMessageFile(context, archive, (messages, members) => [
    ['zerver_message', namedRows(context, { messages, members, receivers })],
  ]);
}

interface MessagesOfFile {
  readonly messages: readonly ExportedMessage[];
  readonly members: Members;
  readonly receivers: ReceiverRows;
}

async function* namedRows(
  context: ExportContext,
  { messages, members, receivers }: MessagesOfFile,
): AsyncIterable<object> {
  const masks = new Map<number, number>();
  for await (const { message, flags_mask: mask } of receivers.of(messages, members)) masks.set(message, mask);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const places = await placeNames(context, messages, members);
  for await (const row of messageRows(context, messages, members)) {
    const mask = masks.get(row.id) ?? 0;
    const message = byId.get(row.id) as ExportedMessage;
    yield {
      ...row,
      flags: flagNames(mask),
      flags_mask: mask,
      sending_client_name: message.client_name,
      recipient_name: places.get(placeKey(message)) ?? '',
    };
  }
}

function placeKey({ channel_id: channelId, conversation_id: conversationId }: ExportedMessage): string {
  return channelId === null ? `direct ${conversationId}` : `channel ${channelId}`;
}

async function placeNames(
  { db }: ExportContext,
  messages: readonly ExportedMessage[],
  members: Members,
): Promise<Map<string, string>> {
  const channels = await db.query<{ id: number; name: string }>(
    'SELECT id, name FROM channel WHERE id IN (?)',
    [[...new Set(messages.flatMap(({ channel_id: id }) => id ?? []))]],
  );
  const people = await db.query<{ id: number; name: string }>(
    'SELECT id, full_name AS name FROM account WHERE id IN (?)',
    [[...new Set([...members.values()].flat())]],
  );
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return new Map([
    ...channels.map(({ id, name }): [string, string] => [`channel ${id}`, name]),
    ...[...members].map(([id, userIds]): [string, string] => [
      `direct ${id}`,
      userIds.map((userId) => names.get(userId) ?? '').join(', '),
    ]),
  ]);
}
