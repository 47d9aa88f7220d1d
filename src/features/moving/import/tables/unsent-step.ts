import type { Clock } from '../../../../platform/clock';
import { ApiError } from '../../../../platform/errors/api-error';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import {
  MAX_DRAFTS,
  SCHEDULED_OF_PERSON,
  type ScheduledMessage,
  type ScheduledMessageRowsService,
} from '../../../drafts/drafts.module';
import type { MessageRendererService, MessageTextService } from '../../../messages/messages.module';
import type { AccountDirectory } from '../../../users/users.module';
import { type ArchiveRow, RowUnusable } from '../records/archive-row';
import { type ImportContext, type ImportStep, type PreparedStep, usableRows } from './import-context';
import { plain } from './messages-step';
import type { Texts } from './texts';

/** Delivery type of scheduled messages; archives keep reminders in the same table. */
const SEND_LATER = 1;

const TOO_MANY = 'The person has too many of them.';

/** Collaborators of the step. */
interface UnsentTools {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly messageText: MessageTextService;
  readonly accounts: AccountDirectory;
  readonly renderer: MessageRendererService;
  readonly scheduled: ScheduledMessageRowsService;
}

/**
 * Unsent messages: drafts, and messages scheduled for later. Those that were due before the import wait until their
 * author chooses another time.
 */
export class UnsentStep implements ImportStep {
  readonly name = 'unsent';

  constructor(private readonly tools: UnsentTools) {}

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const drafts = await usableRows(context, ['parley_draft'], draftsOf(context, this.tools));
    const scheduled = await usableRows(context, ['zerver_scheduledmessage'], (row) => {
      const message = this.scheduledMessage(context, row);
      return message && { table: row.table, name: row.name, message };
    });
    const rendered: Omit<ScheduledMessage, 'id'>[] = [];
    const hasRoom = roomOf(SCHEDULED_OF_PERSON);
    for (const { table, name, message } of scheduled) {
      const renderedContent = await this.html(message);
      if (hasRoom(message.userId, message.content.length + renderedContent.length))
        rendered.push({ ...message, renderedContent });
      else context.ledger.note('left out', table, name, TOO_MANY);
    }
    return async (tx) => {
      await insertRows(tx, 'draft', drafts);
      for (const row of rendered) {
        if (row.hasFailed) await this.tools.scheduled.keepUnsent(tx, row);
        else await this.tools.scheduled.schedule(tx, row);
      }
    };
  }

  private scheduledMessage({ survey, ledger, local }: ImportContext, row: ArchiveRow): Unrendered | null {
    if (row.flag('delivered')) return null;
    if (row.number('delivery_type', { min: 1, max: 9, otherwise: SEND_LATER }) !== SEND_LATER)
      throw new RowUnusable('Reminders are not taken over.');
    const userId = survey.accounts.get(row.id('sender'));
    if (!survey.active.has(userId) && userId !== local.ownerId)
      throw new RowUnusable('Its author is not active.');
    const content = contentOf(row, this.tools);
    const recipient = survey.recipient(row.id('recipient'));
    const members =
      'userId' in recipient ? [recipient.userId] : 'memberIds' in recipient ? recipient.memberIds : [];
    const others = members.filter((id) => id !== userId);
    const deliverAt = row.seconds('scheduled_timestamp');
    const isLate = deliverAt <= this.tools.clock.nowSeconds();
    if (isLate && !row.flag('failed'))
      ledger.note('changed', row.table, row.name, 'It was due before the import, and is kept unsent.');
    return {
      userId,
      channelId: 'channelId' in recipient ? recipient.channelId : null,
      recipientIds: JSON.stringify('channelId' in recipient || others.length > 0 ? others : [userId]),
      topic: 'channelId' in recipient ? this.tools.messageText.topic(row.text('subject')) : '',
      content,
      clientName: survey.clients.get(row.optionalId('sending_client') ?? -1) ?? 'Unspecified',
      isReadBySender: row.flag('read_by_sender'),
      deliverAt,
      hasFailed: isLate || row.flag('failed'),
    };
  }

  /** Renders a message. Text that takes too long is shown as it is; sending renders it again. */
  private async html({ userId, content }: Unrendered): Promise<string> {
    const { accounts, renderer } = this.tools;
    try {
      const { html } = await renderer.renderFor({ userId, role: accounts.existing(userId).role }, content);
      return html;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return plain(content);
    }
  }
}

function draftsOf({ survey }: ImportContext, tools: UnsentTools): (row: ArchiveRow) => NewRow {
  const hasRoom = roomOf({ count: MAX_DRAFTS });
  return (row) => {
    const userId = survey.accounts.get(row.id('user_profile'));
    const content = contentOf(row, tools);
    if (!hasRoom(userId, content.length)) throw new RowUnusable(TOO_MANY);
    return {
      user_id: userId,
      channel_id: survey.channels.find(row.optionalId('stream')),
      recipient_ids: JSON.stringify(row.ids('people').flatMap((id) => survey.accounts.find(id) ?? [])),
      topic: tools.messageText.cutTopic(row.text('subject')),
      content,
      edited_at: Math.round(row.time('last_edit_time') * 1000),
    };
  };
}

/** @throws RowUnusable */
function contentOf(row: ArchiveRow, { texts, messageText }: UnsentTools): string {
  const content = texts.rewritten(row.text('content'));
  if (content.trim() === '') throw new RowUnusable('It has no text.');
  return messageText.content(content);
}

/** Returns a function that reserves room per person, and reports whether there was enough. */
function roomOf(limits: {
  count: number;
  characters?: number;
}): (userId: number, characters: number) => boolean {
  const sums = new Map<number, { count: number; characters: number }>();
  return (userId, length) => {
    const { count, characters } = sums.get(userId) ?? { count: 0, characters: 0 };
    const sum = { count: count + 1, characters: characters + length };
    if (sum.count > limits.count || sum.characters > (limits.characters ?? Infinity)) return false;
    sums.set(userId, sum);
    return true;
  };
}

type Unrendered = Omit<ScheduledMessage, 'id' | 'renderedContent'>;
