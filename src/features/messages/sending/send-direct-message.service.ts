import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { DirectMessageAccess } from './direct-message.access';
import { MentionAccess } from './mention.access';
import { MessageWriterService } from './message-writer.service';
import { OutgoingContentService, type ContentToSend } from './outgoing-content.service';
import { parseDirectAddress } from './address';

const NOBODY: ReadonlySet<number> = new Set();

/** Sends direct messages. */
@Injectable()
export class SendDirectMessageService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly users: UserAccess,
    private readonly access: DirectMessageAccess,
    private readonly content: OutgoingContentService,
    private readonly mentions: MentionAccess,
    private readonly writer: MessageWriterService,
  ) {}

  /**
   * @param to in any of the forms of messages reference 2.2
   * @returns the ID of the message
   */
  async send(actor: Actor, to: string | undefined, content: ContentToSend): Promise<number> {
    const named = to === undefined ? { userIds: [] } : parseDirectAddress(to);
    const recipients = this.access.recipients(actor, named);
    const normalized = this.content.normalize(content);
    await this.access.checkMaySend(this.database.read, actor, recipients);
    const message = await this.content.prepare(actor, normalized);
    this.mentions.check(actor, message.rendered, null, NOBODY);
    const { messageId } = await this.transactions.run(async (tx) => {
      // Somebody may have left meanwhile, or lost the right to write to the others.
      const current = this.users.current(actor);
      const memberIds = await this.access.checkMaySend(tx, current, this.access.recipients(current, named));
      this.mentions.check(current, message.rendered, null, NOBODY);
      return this.writer.writeToConversation(tx, message, memberIds);
    });
    return messageId;
  }
}
