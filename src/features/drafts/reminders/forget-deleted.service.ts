import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { messagesDeleted } from '../../messages/messages.module';
import { Reminder } from './reminder.entity';
import { ReminderTextService } from './reminder-text.service';
import { reminderRemoved, remindersAdded, reminderWire } from './reminders.api';

/** Takes what a message said out of the reminders of it once it is deleted; they still come, with their notes. */
@Injectable()
export class ForgetDeletedService {
  constructor(
    private readonly texts: ReminderTextService,
    hooks: Hooks,
  ) {
    hooks.on(messagesDeleted, (tx, messageIds) => this.forget(tx, messageIds));
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const reminders = await tx
      .repository(Reminder)
      .find({ where: { targetMessageId: In(messageIds) }, order: { id: 'ASC' } });
    for (const [note, alike] of groupBy(reminders, (reminder) => reminder.note)) {
      const { content, rendered } = this.texts.ofDeleted(note);
      const text = { content, renderedContent: rendered.html };
      // Excludes reminders that were delivered or deleted in between.
      const changed = await tx.query<{ id: number }>(
        'UPDATE reminder SET content = ?, rendered_content = ? WHERE id IN (?) RETURNING id',
        [text.content, text.renderedContent, alike.map(({ id }) => id)],
      );
      const left = new Set(changed.map(({ id }) => id));
      for (const reminder of alike) if (left.has(reminder.id)) this.tell(tx, { ...reminder, ...text });
    }
  }

  /** Clients know of no change to a reminder: for them it goes, and another one comes. */
  private tell(tx: Transaction, reminder: Reminder): void {
    const owner = Audience.of([reminder.userId]);
    tx.emit(reminderRemoved({ reminder_id: reminder.id }), owner);
    tx.emit(remindersAdded({ reminders: [reminderWire(reminder)] }), owner);
  }
}
