import { Injectable } from '@nestjs/common';
import { MAIL, type Medium, NotificationChoice, PUSH } from './choice/notification-choice.service';
import { MissedMessages } from './missed-mail/missed-messages.service';
import { DeliverPush } from './web-push/deliver-push.service';
import { PushSubscriptionDirectory } from './web-push/push-subscription.directory';
import { chunksOf } from '../../platform/collections';
import { Database } from '../../platform/database/database.service';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { Directories } from '../../platform/events/directories';
import { Hooks } from '../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../platform/jobs/job';
import { Jobs } from '../../platform/jobs/jobs.service';
import { Mailer } from '../../platform/mail/mailer.service';
import {
  FlaggedEventsService,
  messageEdited,
  type MessageRow,
  MessageRowsService,
  messageSent,
  SystemMessageService,
} from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { AccountDirectory } from '../users/users.module';

/** A message whose recipients may have to be notified. */
interface NotifiedMessage {
  readonly messageId: number;
  /** People newly mentioned by an edit; null for all recipients of a new message. */
  readonly named: readonly number[] | null;
}

/**
 * Determines who is notified of a message. Its key is the message; jobs for edits have no key, since each is about
 * other people. The name dates from a release with push only, whose jobs may still be waiting.
 */
const notifiedMessage = defineJob<NotifiedMessage>('web_push_message');

const ROWS_PER_STEP = 200;

/**
 * Decides once per message who is notified of it while away, and queues push and mail. A job is enqueued in the
 * transaction that sends or edits the message, and only if anyone could be notified.
 */
@Injectable()
export class NotifyAbsentService {
  private readonly sendsMail: boolean;
  /** Users with push subscriptions; the directory keeps the set up to date. */
  private readonly pushed: ReadonlySet<number>;

  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly messages: MessageRowsService,
    private readonly flags: FlaggedEventsService,
    private readonly systemBots: SystemMessageService,
    private readonly choice: NotificationChoice,
    private readonly push: DeliverPush,
    private readonly missed: MissedMessages,
    subscriptions: PushSubscriptionDirectory,
    mailer: Mailer,
    hooks: Hooks,
  ) {
    this.sendsMail = mailer.isAvailable;
    this.pushed = subscriptions.userIds;
    hooks.on(messageSent, async (tx, { messageId, sender, audience }) => {
      if (this.isReached(audience, sender.id)) {
        this.enqueue(tx, { messageId, named: null }, String(messageId));
      }
    });
    hooks.on(messageEdited, async (tx, { messageId, sender, newlyMentioned }) => {
      const named = [...newlyMentioned].filter((id) => id !== sender.id && this.isNotified(id));
      if (named.length > 0) this.enqueue(tx, { messageId, named });
    });
    jobs.handle(notifiedMessage, {
      work: (job) => this.spread(job),
      retry: { delaysMs: [1_000, 10_000, 60_000] },
      timeoutMs: 60_000,
      concurrency: 2,
    });
  }

  private isReached(audience: Audience, senderId: number): boolean {
    for (const id of this.pushed) if (id !== senderId && audience.has(id)) return true;
    return this.sendsMail && audience.ids().some((id) => id !== senderId && this.isNotified(id));
  }

  private isNotified(userId: number): boolean {
    return this.pushed.has(userId) || (this.sendsMail && this.accounts.byId(userId)?.isBot === false);
  }

  private enqueue(tx: Transaction, data: NotifiedMessage, key?: string): void {
    this.jobs.enqueueAtEnd(tx, { kind: notifiedMessage, key, data });
  }

  /** Idempotent: running it again replaces waiting deliveries. */
  private async spread({ data: { messageId, named }, signal }: RunningJob<NotifiedMessage>): Promise<void> {
    await this.directories.catchUp();
    const db = this.database.read;
    const message = await this.messages.find(db, messageId);
    if (!message || this.organization.isDeactivated) return;
    const reached = await this.choice.reached(db, message);
    const mailed = new Set(
      this.isMailed(message) ? (named ?? (await this.choice.mailCandidates(db, message, reached))) : [],
    );
    const people = new Set([...(named ?? this.pushed), ...mailed]);
    const candidates = [...people]
      .filter((id) => id !== message.senderId && reached.has(id))
      .flatMap((id) => this.accounts.byId(id) ?? [])
      .filter(({ isActive }) => isActive);
    for (const some of chunksOf(candidates, ROWS_PER_STEP)) {
      signal.throwIfAborted();
      const ids = some.map(({ id }) => id);
      const flags = await this.flags.flagsOf(db, message, ids);
      const places = await this.choice.places(db, message, ids);
      const wanting = (medium: Medium) =>
        some.filter(
          (each) => this.choice.reason(medium, each, flags.get(each.id)!, places(each.id)) !== null,
        );
      const pushed = wanting(PUSH).filter(({ id }) => this.pushed.has(id));
      await this.push.enqueue(
        message,
        pushed.map(({ id }) => id),
      );
      await this.missed.add(
        messageId,
        wanting(MAIL).filter(({ id, isBot }) => mailed.has(id) && !isBot),
      );
    }
  }

  /** Greetings of new users are not mailed. */
  private isMailed({ senderId }: MessageRow): boolean {
    return this.sendsMail && senderId !== this.systemBots.botNamed('welcome-bot').id;
  }
}
