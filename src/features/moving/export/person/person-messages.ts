import { flagNames } from '../../../messages/messages.module';
import type { ArchiveBuilder } from '../archive/archive-builder';
import type { ExportContext } from '../archive/export-context';
import { eachMessageFile, messageRows } from '../archive/message-files';
import { type ExportedMessage, type Members, ReceiverRows } from '../archive/receiver-rows';
import type { SeenChannels } from './seen-channels';

/** Adds the messages of one person, with the person's flags, and with names instead of IDs. */
export async function addMessagesOfPerson(
  context: ExportContext,
  archive: ArchiveBuilder,
  channels: SeenChannels,
): Promise<void> {
  const receivers = await ReceiverRows.of(context);
  await eachMessageFile(context, archive, (messages, members) => [
    ['zerver_message', namedRows(context, { messages, members, receivers, channels })],
  ]);
}

interface MessagesOfFile {
  readonly messages: readonly ExportedMessage[];
  readonly members: Members;
  readonly receivers: ReceiverRows;
  readonly channels: SeenChannels;
}

async function* namedRows(
  context: ExportContext,
  { messages, members, receivers, channels }: MessagesOfFile,
): AsyncIterable<object> {
  const masks = new Map<number, number>();
  for await (const { message, flags_mask: mask } of receivers.of(messages, members)) masks.set(message, mask);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const places = await placeNames(context, { messages, members, channels });
  const shown = messages.map((message) =>
    showsTopic(message, channels) ? message : { ...message, topic_name: '' },
  );
  for await (const row of messageRows(context, shown, members)) {
    const mask = masks.get(row.id) ?? 0;
    const message = byId.get(row.id) as ExportedMessage;
    yield {
      ...row,
      edit_history: showsHistory(message, context, channels) ? row.edit_history : null,
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

function showsTopic({ channel_id: channelId }: ExportedMessage, channels: SeenChannels): boolean {
  return channelId === null || channels.reads(channelId);
}

/** Edits reveal topics, and what others wrote before if the organization shows that. */
function showsHistory(
  message: ExportedMessage,
  { scope, settings }: ExportContext,
  channels: SeenChannels,
): boolean {
  const isOwn = message.sender_id === scope.personId;
  const { message_edit_history_visibility_policy: policy } = settings;
  return showsTopic(message, channels) && (isOwn || policy === 'all');
}

async function placeNames(
  { db }: ExportContext,
  { messages, members, channels }: Omit<MessagesOfFile, 'receivers'>,
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: number; name: string; is_private: boolean }>(
    'SELECT id, name, is_private FROM channel WHERE id IN (?)',
    [[...new Set(messages.flatMap(({ channel_id: id }) => id ?? []))]],
  );
  const people = await db.query<{ id: number; name: string }>(
    'SELECT id, full_name AS name FROM account WHERE id IN (?)',
    [[...new Set([...members.values()].flat())]],
  );
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return new Map([
    ...rows.map((row): [string, string] => [`channel ${row.id}`, channels.nameOf(row)]),
    ...[...members].map(([id, userIds]): [string, string] => [
      `direct ${id}`,
      userIds.map((userId) => names.get(userId) ?? '').join(', '),
    ]),
  ]);
}
