import { Injectable, Logger } from '@nestjs/common';
import { isSenderVerified, MailHead } from './mail-head';
import type { MailContent, MailFile } from './mail-reader';
import { type MailPlace, MailTargets } from './mail-targets.service';
import { ReceivedMail } from './mail-gateway.entity';
import { readMail, UnreadableMail } from './read-mail';
import { mailPosting } from './receive-mail.service';
import type { ReplyTarget } from './reply-addresses.service';
import { type Actor, INTERNAL_CLIENT } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { JobInterrupted, type RunningJob } from '../../platform/jobs/job';
import { Jobs } from '../../platform/jobs/jobs.service';
import { ChannelDirectory } from '../channels/channels.module';
import { contentFromOutside, safe } from '../integrations/integrations.module';
import {
  DirectConversationService,
  MessageTextService,
  SendMessageService,
  type SendMessageRequest,
  SystemMessageService,
} from '../messages/messages.module';
import { UploadService } from '../uploads/uploads.module';

/** A job with its progress. */
interface Posting {
  readonly mailId: number;
  /** Links to the files uploaded so far, in Markdown. */
  readonly links?: readonly string[];
}

/** The sender and destination of a message. */
interface Place {
  readonly sender: Actor;
  readonly to: Pick<SendMessageRequest, 'kind' | 'to' | 'topic'>;
}

const RETRY = { delaysMs: [5_000, 30_000, 300_000, 1_800_000], forMs: 86_400_000 } as const;
const TIMEOUT_MS = 180_000;
const AT_ONCE = 2;

/** The attempt after which a mail that takes too long to parse is dropped. */
const LAST_SLOW_TRY = 3;

/** Posts each accepted mail once. */
@Injectable()
export class PostMailService {
  private readonly logger = new Logger('MailGateway');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly targets: MailTargets,
    private readonly channels: ChannelDirectory,
    private readonly conversations: DirectConversationService,
    private readonly sending: SendMessageService,
    private readonly system: SystemMessageService,
    private readonly texts: MessageTextService,
    private readonly uploads: UploadService,
    jobs: Jobs,
  ) {
    jobs.handle<Posting>(mailPosting, {
      work: (job) => this.post(job),
      failed: (job, error) => this.giveUp(job, error),
      retry: RETRY,
      timeoutMs: TIMEOUT_MS,
      concurrency: AT_ONCE,
    });
  }

  private async post(job: RunningJob<Posting>): Promise<void> {
    const mail = await this.database.read.repository(ReceivedMail).findOneBy({ id: job.data.mailId });
    const [row] = await this.database.read.query<{ content: Buffer }>(
      'SELECT content FROM received_mail_content WHERE mail_id = ?',
      [job.data.mailId],
    );
    // The person was deleted.
    if (!mail || !row) return;
    let place: MailPlace | null = null;
    try {
      place = await this.targets.findAgain(mail.target);
      if (place) await this.postAt(job, place, mail, row.content);
      else await this.drop(job, 'its address has ended');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.drop(job, error.message, place);
    }
  }

  private async postAt(job: RunningJob<Posting>, mailPlace: MailPlace, mail: ReceivedMail, raw: Buffer) {
    const options = mail.options.split(' ');
    const isReply = mailPlace.kind === 'reply';
    const content = await readMail(
      {
        raw,
        prefersHtml: options.includes('prefer-html'),
        withFooter: options.includes('include-footer'),
        withQuotes: options.includes('include-quotes'),
        isReply,
      },
      job.attempt >= LAST_SLOW_TRY,
      job.signal,
    );
    if (content.text === null && content.files.length === 0) throw new UnreadableMail('it has no text');
    const place = await this.placeOf(mailPlace, content.topic);
    // Checks permissions before uploading anything.
    await this.sending.check(place.sender, requestOf(place, '.'));
    const links = await this.upload(job, place.sender, content);
    const before = options.includes('show-sender') ? this.senderLine(content.from, raw) : '';
    const after = links.length > 0 ? `\n${links.join('\n')}` : '';
    const text = contentFromOutside(content.text?.trim() ? content.text : '(No email body)');
    const body = this.texts.cutContent(text, before.length + after.length);
    await this.sending.send(place.sender, requestOf(place, before + body + after), async (tx) => {
      if (!(await job.complete(tx))) throw new JobInterrupted('lost');
      await forget(tx, mail.id);
    });
  }

  private senderLine(from: string, raw: Buffer): string {
    const head = MailHead.of(raw);
    const isVerified = head !== null && isSenderVerified(head, this.config.emailGatewayAuthservId);
    return `${safe`From: ${from}`.source}${isVerified ? '' : ' (unverified)'}\n`;
  }

  private async placeOf(place: MailPlace, topic: string): Promise<Place> {
    if (place.kind === 'channel') {
      const { channel, judged, sender } = place.destination;
      const to = { kind: 'channel', to: String(channel.id), topic } as const;
      await this.sending.check(judged, requestOf({ sender: judged, to }, '.'));
      return { sender: inOurName(sender), to };
    }
    return this.placeOfReply(place.reply);
  }

  private async placeOfReply({ person, readable: { message } }: ReplyTarget): Promise<Place> {
    const sender = inOurName(person);
    if (message.channelId !== null) {
      const to = { kind: 'channel', to: String(message.channelId), topic: message.topicName ?? '' } as const;
      return { sender, to };
    }
    const conversationId = message.conversationId ?? 0;
    const members = await this.conversations.membersOf(this.database.read, [conversationId]);
    const others = (members.get(conversationId) ?? []).filter((id) => id !== person.userId);
    const to = JSON.stringify(others.length > 0 ? others : [person.userId]);
    return { sender, to: { kind: 'direct', to } };
  }

  /** Uploads the files as the sender. Saves the progress, so that an interrupted job resumes there. */
  private async upload(job: RunningJob<Posting>, sender: Actor, { files, moreFiles }: MailContent) {
    const links = [...(job.data.links ?? [])];
    for (const file of files.slice(links.length)) {
      links.push(await this.linkTo(sender, file));
      if (!(await job.save({ ...job.data, links }))) throw new JobInterrupted('lost');
    }
    return moreFiles > 0 ? [...links, `*${moreFiles} more files were left out.*`] : links;
  }

  private async linkTo(sender: Actor, { name, contentType, content }: MailFile): Promise<string> {
    const sent = { fileName: name, contentType };
    try {
      const { url, fileName } = await this.uploads.uploadBytes(sender, sent, Buffer.from(content));
      return `[${fileName.replace(/[[\]\\`*\n]/g, '')}](${url})`;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return safe`*${name} was left out: ${error.message}*`.source;
    }
  }

  private async drop(job: RunningJob<Posting>, why: string, place: MailPlace | null = null): Promise<void> {
    this.logger.warn(`Mail ${job.data.mailId} was not posted: ${why}`);
    await this.transactions.run(async (tx) => {
      if (!(await job.complete(tx))) throw new JobInterrupted('lost');
      await forget(tx, job.data.mailId);
      if (place?.kind === 'reply') await this.tell(tx, place.reply, why);
    });
  }

  /** Notifies the person that the reply was not posted; people who reply by mail would not notice. */
  private async tell(tx: Transaction, { person, readable: { message } }: ReplyTarget, why: string) {
    const channel = message.channelId === null ? undefined : this.channels.byId(message.channelId);
    const failed = channel
      ? safe`Error sending message to channel ${channel.name} via message notification email reply:`
      : safe`Error sending message via message notification email reply:`;
    const content = `${failed.source}\n${safe`${why}`.source}`;
    await this.system.sendToPerson(tx, 'notification-bot', person.userId, { content });
  }

  private async giveUp({ data }: RunningJob<Posting>, error: unknown): Promise<void> {
    this.logger.error({ err: error }, `Mail ${data.mailId} could not be posted.`);
    await this.transactions.run((tx) => forget(tx, data.mailId));
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof UnreadableMail || (error instanceof ApiError && error.status < 500);
}

function inOurName(actor: Actor): Actor {
  return { ...actor, clientName: INTERNAL_CLIENT };
}

function requestOf({ to }: Place, content: string): SendMessageRequest {
  return { ...to, content: { content, isFromOutside: true }, isMirrored: false, isForged: false };
}

async function forget(tx: Transaction, mailId: number): Promise<void> {
  await tx.query('DELETE FROM received_mail_content WHERE mail_id = ?', [mailId]);
}
