import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/database/queryable';
import { MessageAccess } from '../../messages';
import { UserAccess } from '../../users';
import { MessageAlreadyDeleted } from '../message-changes.errors';
import { MessageDeleteAccess } from '../rights/message-delete.access';
import { RemoveMessagesService } from './remove-messages.service';

/** Deletes a message for good. */
@Injectable()
export class DeleteMessageService {
  constructor(
    private readonly database: Database,
    private readonly access: MessageAccess,
    private readonly deleteAccess: MessageDeleteAccess,
    private readonly removing: RemoveMessagesService,
    private readonly users: UserAccess,
  ) {}

  /** @throws Unauthorized, InvalidMessage, MayNotDeleteMessage, TooLateToDelete, MessageAlreadyDeleted */
  async delete(actor: Actor, messageId: number): Promise<void> {
    await this.check(this.database.read, actor, messageId);
    await this.removing.remove({
      messageIds: [messageId],
      deleterId: actor.userId,
      choose: async (tx, locked) => {
        if (locked.length === 0) throw new MessageAlreadyDeleted();
        await this.check(tx, this.users.current(actor), messageId);
        return locked;
      },
    });
  }

  private async check(db: Queryable, actor: Actor, messageId: number): Promise<void> {
    const { message } = await this.access.forChanging(db, actor, messageId);
    this.deleteAccess.check(actor, message);
  }
}
