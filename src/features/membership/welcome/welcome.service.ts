import { Injectable, Logger } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { BadRequest } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  escapeMarkdown,
  fenceAround,
  Flag,
  HELP_PAGES,
  messageFlagAdded,
  messageSent,
  PersonalFlagRowsService,
  ReadStateService,
  type SentMessage,
  SystemMessageService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';

/** Texts of the welcome bot, in Markdown. */

/** Answers by keyword. The bot lists the first keyword of each in its help text. */
const ANSWERS: readonly { readonly words: readonly string[]; readonly answer: string }[] = [
  {
    words: ['apps', 'app'],
    answer:
      'There are [apps](https://zulip.com/apps/) for mobile and desktop. When an app asks for your organization URL, enter the ' +
      'URL of this server.',
  },
  {
    words: ['profile'],
    answer: `Your [profile](${HELP_PAGES}/edit-your-profile) tells others who you are. Add a picture and a short description in your settings.`,
  },
  {
    words: ['theme'],
    answer: `In your settings, you can [choose a light or dark theme](${HELP_PAGES}/dark-theme), or match your device.`,
  },
  {
    words: ['channels', 'channel', 'streams', 'stream'],
    answer: `A [channel](${HELP_PAGES}/introduction-to-channels) is for a team, project or subject. Subscribers receive its messages.`,
  },
  {
    words: ['topics', 'topic'],
    answer: `A [topic](${HELP_PAGES}/introduction-to-topics) is one conversation in a channel. Start a new topic when you change the subject.`,
  },
  {
    words: ['message formatting', 'formatting'],
    answer: `Messages are written in [Markdown](${HELP_PAGES}/format-your-message-using-markdown): \`**bold**\` becomes **bold**, and \`*italic*\` becomes *italic*.`,
  },
  {
    words: ['keyboard shortcuts', 'keyboard', 'shortcuts'],
    answer: `[Keyboard shortcuts](${HELP_PAGES}/keyboard-shortcuts) let you work without a mouse. Press \`?\` in the web app to see them.`,
  },
  {
    words: ['help', '?'],
    answer: `Start with the [getting started guide](${HELP_PAGES}/getting-started-with-zulip), or browse the [help center](${HELP_PAGES}/).`,
  },
];

/** Keywords that the bot knows. */
const KNOWN_WORDS = ANSWERS.map(({ words }) => `\`${words[0]}\``).join(', ');

/** The answer to anything else. */
const NOT_UNDERSTOOD = `I’m a bot, and I don’t understand that. You can ask me about: ${KNOWN_WORDS}.`;

/** The first message to a new user. @param isAdministrator whether the user administers the organization */
function greeting(organization: string, isAdministrator: boolean): string {
  const lines = [
    `Hello, and welcome to ${escapeMarkdown(organization)}! :wave:`,
    '',
    `* New to Zulip-style chat? [See how it works](${HELP_PAGES}/getting-started-with-zulip).`,
    ...(isAdministrator
      ? [`* You are an administrator: [see how to bring your team on board](${HELP_PAGES}/moving-to-zulip).`]
      : []),
    `* I’m a bot. Send me one of these words to learn more: ${KNOWN_WORDS}.`,
  ];
  return lines.join('\n');
}

/** Quotes the welcome text of the organization or of the invitation. */
function customText(organization: string, text: string): string {
  const fence = fenceAround(text);
  return `A message from the administrators of ${escapeMarkdown(organization)}:\n\n${fence}quote\n${text}\n${fence}`;
}

/** The answer to a message, or undefined if the bot does not understand it. */
function answerTo(message: string): string | undefined {
  const asked = message.trim().toLowerCase();
  return ANSWERS.find(({ words }) => words.includes(asked))?.answer;
}

const BOT = 'welcome-bot';

/** Greets new people with a direct message from the welcome bot. */
@Injectable()
export class WelcomeService {
  private readonly logger = new Logger(WelcomeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    private readonly flags: PersonalFlagRowsService,
    private readonly readState: ReadStateService,
  ) {}

  /**
   * Called after the account was committed, because only then can it be written to. The person has joined even if this
   * fails, so a failure is only logged.
   * @param text the inviter's welcome text, empty for none; defaults to the organization's
   */
  async greet(userId: number, text?: string): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        const person = this.accounts.existing(userId);
        const { name, welcome_message_custom_text: usual } = this.organization.settings;
        await this.readState.lock(tx, userId);
        const content = greeting(name, isAdministrator(person));
        const id = await this.messages.sendToPerson(tx, BOT, userId, { content });
        await this.flags.add(tx, userId, [id], Flag.starred);
        tx.emit(messageFlagAdded('starred', [id]), Audience.of([userId]));
        const custom = text ?? usual;
        if (custom === '') return;
        await this.messages.sendToPerson(tx, BOT, userId, { content: customText(name, custom) });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** @returns the ID of the message @throws BadRequest for an empty text */
  async sendSample({ userId }: Actor, text: string): Promise<number> {
    if (text === '') throw new BadRequest('Message must not be empty');
    const content = customText(this.organization.settings.name, text);
    return this.transactions.run((tx) => this.messages.sendToPerson(tx, BOT, userId, { content }));
  }
}

/** How many of its own messages the bot checks. */
const REMEMBERED_MESSAGES = 1_000;

/** Makes the welcome bot answer people who write to it alone, in the transaction of their message. */
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

  /** The welcome bot, if a person writes to it alone. Checks the recipient first, as few are system bots. */
  private botAddressed({ sender, audience, isDirect }: SentMessage): AccountRecord | undefined {
    if (!isDirect || sender.isBot || audience.size !== 2) return undefined;
    const [otherId = 0] = [...audience.ids()].filter((id) => id !== sender.id);
    const other = this.accounts.byId(otherId);
    if (!other?.isSystemBot) return undefined;
    return other.id === this.messages.botNamed('welcome-bot').id ? other : undefined;
  }

  /** Avoids repeating the list of commands. */
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
