import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { codePointLength } from '../../../platform/http/parameters/text';
import { MessageAccess, MessageRowsService, showAsUploaded } from '../../messages/messages.module';
import { OwnTransactions, personalDataRemoved } from '../../users/users.module';
import { DeliveryTimeNotInFuture } from '../scheduled/scheduled-messages.api';
import { ReminderRowsService } from './reminder-rows.service';
import { ReminderTextService } from './reminder-text.service';
import {
  MAX_NOTE_LENGTH,
  NoteTooLong,
  reminderRemoved,
  remindersAdded,
  reminderWire,
  type ReminderWire,
} from './reminders.api';

/** A requested reminder. */
export interface NewReminder {
  readonly messageId: number;
  /** UNIX seconds. */
  readonly deliverAt: number;
  /** Empty for none. */
  readonly note: string;
}

/** Lets people ask to be reminded of messages. */
@Injectable()
export class RemindersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: OwnTransactions,
    private readonly rows: ReminderRowsService,
    private readonly texts: ReminderTextService,
    private readonly access: MessageAccess,
    private readonly messageRows: MessageRowsService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('reminders', async (db, { reader }) => ({
        reminders: reader ? (await rows.of(db, reader)).map(reminderWire) : [],
      })),
    );
    hooks.on(
      initialState,
      stateFor([], () => ({ max_reminder_note_length: MAX_NOTE_LENGTH })),
    );
    hooks.on(personalDataRemoved, (tx, userId) => rows.removeAll(tx, { userId }));
  }

  /** What is due first comes first. */
  async list(actor: Actor): Promise<ReminderWire[]> {
    return (await this.rows.of(this.database.read, actor)).map(reminderWire);
  }

  /** @returns its ID @throws DeliveryTimeNotInFuture, InvalidMessage, NoteTooLong, and too many of them */
  async add(actor: Actor, { messageId, deliverAt, note: written }: NewReminder): Promise<number> {
    if (deliverAt * 1000 <= this.clock.nowMs()) throw new DeliveryTimeNotInFuture();
    const note = written.trimEnd().replace(/^\n+/, '');
    const { content, rendered } = await this.texts.write(this.database.read, actor, messageId, note);
    if (codePointLength(note) > MAX_NOTE_LENGTH) throw new NoteTooLong(MAX_NOTE_LENGTH);
    return this.transactions.run(actor, async (tx) => {
      // A deletion from now on finds the reminder, and removes the content from it.
      await this.messageRows.lock(tx, messageId);
      await this.access.forReading(tx, actor, messageId);
      const reminder = await this.rows.add(tx, {
        userId: actor.userId,
        targetMessageId: messageId,
        note,
        content,
        renderedContent: showAsUploaded(rendered.html),
        deliverAt,
        hasFailed: false,
      });
      tx.emit(remindersAdded({ reminders: [reminderWire(reminder)] }), Audience.of([actor.userId]));
      return reminder.id;
    });
  }

  /** @throws ReminderNotFound */
  remove(actor: Actor, id: number): Promise<void> {
    return this.transactions.run(actor, async (tx) => {
      await this.rows.remove(tx, actor, id);
      tx.emit(reminderRemoved({ reminder_id: id }), Audience.of([actor.userId]));
    });
  }
}
