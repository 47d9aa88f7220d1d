import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { messageSent, type SentMessage, SystemMessageService } from '../../messages/messages.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { answerTo, NOT_UNDERSTOOD } from './welcome-texts';

/** How far back the bot looks for what it has said. */
const REMEMBERED_MESSAGES = 1_000;

/** Has the welcome bot answer people who write to it alone, in the transaction of their message. */
@Injectable()
export class WelcomeAnswersService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.answer(tx, message));
  }

  private async answer(tx: Transaction, message: SentMessage): Promise<void> {
    const { sender, rendered } = message;
    const bot = this.botAddressed(message);
    if (!bot) return;
    const answer = answerTo(rendered.prose);
    if (answer === undefined && (await this.hasSaid(tx, message, bot.id, NOT_UNDERSTOOD))) return;
    await this.messages.sendToPerson(tx, 'welcome-bot', sender.id, { content: answer ?? NOT_UNDERSTOOD });
  }

  /** The welcome bot, where a person writes to it alone. Looks at the other one first, as most are no bots of the system. */
  private botAddressed({ sender, audience, isDirect }: SentMessage): AccountRecord | undefined {
    if (!isDirect || sender.isBot || audience.size !== 2) return undefined;
    const [otherId = 0] = [...audience.ids()].filter((id) => id !== sender.id);
    const other = this.accounts.byId(otherId);
    if (!other?.isSystemBot) return undefined;
    return other.id === this.messages.botNamed('welcome-bot').id ? other : undefined;
  }

  /** Repeating the list of commands would only be in the way. */
  private async hasSaid(
    tx: Transaction,
    { messageId }: SentMessage,
    botId: number,
    content: string,
  ): Promise<boolean> {
    const { times } = await tx.queryOne<{ times: number }>(
      `SELECT COUNT(*) AS times FROM (
         SELECT sender_id, content FROM message
         WHERE conversation_id = (SELECT conversation_id FROM message WHERE id = ?) ORDER BY id DESC LIMIT ?
       ) AS recent WHERE sender_id = ? AND content = ?`,
      [messageId, REMEMBERED_MESSAGES, botId, content],
    );
    return Number(times) > 0;
  }
}
