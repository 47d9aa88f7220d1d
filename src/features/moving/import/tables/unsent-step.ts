import type { Clock } from '../../../../platform/clock';
import { ApiError } from '../../../../platform/errors/api-error';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import type { ScheduledMessage, ScheduledMessageRowsService } from '../../../drafts/drafts.module';
import type { MessageRendererService, MessageTextService } from '../../../messages/messages.module';
import type { AccountDirectory } from '../../../users/users.module';
import { type ArchiveRow, RowUnusable } from '../records/archive-row';
import { type ImportContext, type ImportStep, usableRows } from './import-context';
import { plain } from './messages-step';
import type { Texts } from './texts';

/** Archives have reminders among scheduled messages. */
const SEND_LATER = 1;

/** Every client gets all of them. */
const MOST_OF_PERSON = { count: 500, characters: 4_000_000 };

/** Characters; few messages have more. */
const MOST_HTML = 5_000_000 / MOST_OF_PERSON.count;

/** What the step needs of others. */
interface UnsentTools {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly messageText: MessageTextService;
  readonly accounts: AccountDirectory;
  readonly renderer: MessageRendererService;
  readonly scheduled: ScheduledMessageRowsService;
}

/**
 * Messages that people have written and not sent. What is scheduled for later will be sent then; what was due before the
 * import waits until its author chooses another time.
 */
export class UnsentStep implements ImportStep {
  readonly name = 'unsent';
  private readonly sums = new Map<string, { count: number; characters: number }>();

  constructor(private readonly tools: UnsentTools) {}

  async prepare(context: ImportContext): Promise<(tx: Transaction) => Promise<void>> {
    this.sums.clear();
    const drafts = await usableRows(context, ['parley_draft'], (row) => this.draft(context, row));
    const scheduled = await usableRows(context, ['zerver_scheduledmessage'], (row) =>
      this.scheduledMessage(context, row),
    );
    const rendered: Omit<ScheduledMessage, 'id'>[] = [];
    for (const row of scheduled) rendered.push({ ...row, renderedContent: await this.html(row) });
    return async (tx) => {
      await insertRows(tx, 'draft', drafts);
      for (const row of rendered) {
        if (row.hasFailed) await this.tools.scheduled.keepUnsent(tx, row);
        else await this.tools.scheduled.schedule(tx, row);
      }
    };
  }

  private draft({ survey }: ImportContext, row: ArchiveRow): NewRow {
    const userId = survey.accounts.get(row.id('user_profile'));
    const content = this.content(row);
    this.count(`draft ${userId}`, content);
    return {
      user_id: userId,
      channel_id: survey.channels.find(row.optionalId('stream')),
      recipient_ids: JSON.stringify(row.ids('people').flatMap((id) => survey.accounts.find(id) ?? [])),
      topic: this.tools.messageText.cutTopic(row.text('subject')),
      content,
      edited_at: Math.round(row.time('last_edit_time') * 1000),
    };
  }

  private scheduledMessage({ survey, ledger, local }: ImportContext, row: ArchiveRow): Unrendered | null {
    if (row.flag('delivered')) return null;
    if (row.number('delivery_type', { min: 1, max: 9, otherwise: SEND_LATER }) !== SEND_LATER)
      throw new RowUnusable('Reminders are not taken over.');
    const userId = survey.accounts.get(row.id('sender'));
    if (!survey.active.has(userId) && userId !== local.ownerId)
      throw new RowUnusable('Its author is not active.');
    const content = this.content(row);
    this.count(`scheduled ${userId}`, content);
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

  private content(row: ArchiveRow): string {
    const content = this.tools.texts.rewritten(row.text('content'));
    if (content.trim() === '') throw new RowUnusable('It has no text.');
    return this.tools.messageText.content(content);
  }

  /** HTML takes more than its Markdown, so half of the room is for that. */
  private count(key: string, content: string): void {
    const { count, characters } = this.sums.get(key) ?? { count: 0, characters: 0 };
    const sum = { count: count + 1, characters: characters + content.length };
    if (sum.count > MOST_OF_PERSON.count || sum.characters > MOST_OF_PERSON.characters / 4)
      throw new RowUnusable('The person has too many of them.');
    this.sums.set(key, sum);
  }

  /** What takes too long to render shows its text; it is rendered anew when it is sent. */
  private async html({ userId, content }: Unrendered): Promise<string> {
    const { accounts, renderer } = this.tools;
    try {
      const { html } = await renderer.renderFor({ userId, role: accounts.existing(userId).role }, content);
      return html.length > MOST_HTML ? plain(content) : html;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return plain(content);
    }
  }
}

type Unrendered = Omit<ScheduledMessage, 'id' | 'renderedContent'>;
